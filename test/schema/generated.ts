import fc from "fast-check";

type Schema = Readonly<Record<string, unknown>>;

/** A schema, and values that it was made for. */
interface Case {
  readonly schema: Schema;
  readonly value: fc.Arbitrary<unknown>;
}

/** A schema for arguments with a value that should be valid for it. */
export const schemaWithValue = (): fc.Arbitrary<{ schema: Schema; value: unknown }> =>
  fc
    .tuple(caseOf(2), caseOf(1), rootCase())
    .map(([first, second, root]) => ({ root, defs: { first, second } }))
    .chain(({ root, defs }) =>
      root(defs).chain(({ schema, value }) =>
        value.map((made) => ({
          schema: {
            $schema: "https://json-schema.org/draft/2020-12/schema",
            ...schema,
            $defs: { first: defs.first.schema, second: defs.second.schema, chain: CHAIN.schema },
          },
          value: made,
        })),
      ),
    );

type Defs = Readonly<Record<"first" | "second", Case>>;

/** Leads to itself. */
const CHAIN: Case = {
  schema: {
    type: "object",
    properties: { name: { type: "string" }, next: { $ref: "#/$defs/chain" } },
    required: ["name"],
    additionalProperties: false,
  },
  value: fc.letrec((tie) => ({
    link: fc.record({ name: fc.string(), next: tie("link") }, { requiredKeys: ["name"] }),
  })).link,
};

/** One object, or a choice between objects, or several that hold at once. */
function rootCase(): fc.Arbitrary<(defs: Defs) => fc.Arbitrary<Case>> {
  return fc.constantFrom(
    (defs: Defs) => objectCase(2, NAMES, defs),
    (defs: Defs) => choiceCase(objectCase(2, NAMES, defs)),
    (defs: Defs) =>
      fc
        .tuple(objectCase(1, ["a", "b"], defs), objectCase(1, ["c", "d"], defs))
        .filter(([left, right]) => [left, right].every(({ schema }) => schema["additionalProperties"] === undefined))
        .map(([left, right]) => ({
          schema: { type: "object", allOf: [left.schema, right.schema] },
          value: fc.tuple(left.value, right.value).map(([one, two]) => ({ ...(one as object), ...(two as object) })),
        })),
  );
}

const NAMES = ["a", "b", "action", "type", "properties"];

function caseOf(depth: number, defs?: Defs): fc.Arbitrary<Case> {
  const simple = [...SIMPLE_CASES.map((each) => fc.constant(each)), valuesCase, typesCase];
  if (depth === 0) return fc.oneof(...simple);
  const inner = caseOf(depth - 1, defs);
  return fc.oneof(
    ...simple,
    objectCase(depth, NAMES, defs),
    choiceCase(inner),
    listCase(inner),
    tupleCase(inner),
    ...(defs ? [referenceCase(defs)] : []),
  );
}

const SIMPLE_CASES: readonly Case[] = [
  { schema: { type: "string", minLength: 1, maxLength: 5 }, value: fc.string({ minLength: 1, maxLength: 3 }) },
  { schema: { type: "string", pattern: "^x", description: "begins with x" }, value: fc.string().map((s) => `x${s}`) },
  { schema: { type: "string", format: "date" }, value: fc.constant("2026-11-01") },
  { schema: { type: "integer", minimum: 0, maximum: 9 }, value: fc.integer({ min: 0, max: 9 }) },
  { schema: { type: "number", exclusiveMinimum: 0, default: 1 }, value: fc.constantFrom(0.5, 1, 2.5) },
  { schema: { type: "boolean" }, value: fc.boolean() },
  { schema: { type: "null" }, value: fc.constant(null) },
  { schema: { const: "only" }, value: fc.constant("only") },
  { schema: {}, value: fc.jsonValue() },
  { schema: { description: "whatever" }, value: fc.jsonValue() },
  { schema: { not: { type: "string" } }, value: fc.constantFrom(1, null, true) },
];

const valuesCase: fc.Arbitrary<Case> = fc
  .uniqueArray(fc.constantFrom<unknown>("read", "write", "", 1, 2.5, null, true), { minLength: 1, maxLength: 4 })
  .map((values) => ({ schema: { enum: values }, value: fc.constantFrom(...values) }));

const typesCase: fc.Arbitrary<Case> = fc.constantFrom<Case>(
  { schema: { type: ["string", "null"] }, value: fc.option(fc.string()) },
  {
    schema: { type: ["string", "array"], items: { type: "string" }, description: "one or many" },
    value: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 2 })),
  },
  { schema: { type: ["integer", "number", "null"] }, value: fc.constantFrom(1, 1.5, null) },
  { schema: { type: ["string", "integer"], enum: ["a", 1] }, value: fc.constantFrom("a", 1) },
);

function objectCase(depth: number, names: readonly string[], defs?: Defs): fc.Arbitrary<Case> {
  const property = fc.record({ name: fc.constantFrom(...names), of: caseOf(depth - 1, defs), isNeeded: fc.boolean() });
  return fc
    .tuple(
      fc.uniqueArray(property, { selector: ({ name }) => name, maxLength: 4 }),
      fc.constantFrom<unknown>(undefined, undefined, false, true, { type: "integer" }),
    )
    .map(([properties, extra]) => ({
      schema: {
        type: "object",
        properties: Object.fromEntries(properties.map(({ name, of }) => [name, of.schema])),
        ...(properties.some(({ isNeeded }) => isNeeded) && {
          required: properties.filter(({ isNeeded }) => isNeeded).map(({ name }) => name),
        }),
        ...(extra !== undefined && { additionalProperties: extra }),
      },
      value: fc
        .tuple(
          fc.tuple(
            ...properties.map(({ of, isNeeded }) => (isNeeded ? of.value : fc.option(of.value, { nil: ABSENT }))),
          ),
          extra === undefined || extra === false
            ? fc.constant({})
            : fc.dictionary(fc.constantFrom("x1", "x2"), fc.nat()),
        )
        .map(([made, more]) => ({
          ...Object.fromEntries(
            properties.map(({ name }, nth) => [name, made[nth]]).filter(([, each]) => each !== ABSENT),
          ),
          ...more,
        })),
    }));
}

const ABSENT = Symbol("absent");

const choiceCase = (choice: fc.Arbitrary<Case>): fc.Arbitrary<Case> =>
  fc
    .tuple(fc.constantFrom("anyOf", "oneOf"), fc.array(choice, { minLength: 1, maxLength: 3 }))
    .map(([keyword, choices]) => ({
      schema: { [keyword]: choices.map(({ schema }) => schema), description: "a choice" },
      value: fc.oneof(...choices.map(({ value }) => value)),
    }));

const listCase = (item: fc.Arbitrary<Case>): fc.Arbitrary<Case> =>
  item.map(({ schema, value }) => ({
    schema: { type: "array", items: schema, maxItems: 3 },
    value: fc.array(value, { maxLength: 3 }),
  }));

const tupleCase = (item: fc.Arbitrary<Case>): fc.Arbitrary<Case> =>
  fc.tuple(item, item, fc.constantFrom<unknown>(undefined, false)).map(([first, second, rest]) => ({
    schema: { type: "array", prefixItems: [first.schema, second.schema], ...(rest === false && { items: false }) },
    value: fc.tuple(first.value, second.value),
  }));

const referenceCase = (defs: Defs): fc.Arbitrary<Case> =>
  fc.constantFrom(
    { schema: { $ref: "#/$defs/first", description: "defined elsewhere" }, value: defs.first.value },
    { schema: { $ref: "#/$defs/second" }, value: defs.second.value },
    { schema: { $ref: "#/$defs/chain" }, value: CHAIN.value },
  );
