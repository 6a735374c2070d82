import { readFileSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/**
 * An esbuild plugin: each named function below `folder` reports when it is entered, by its index in `functions`, which
 * the plugin fills. What the program does stays the same.
 */
export const instrumenting = (folder, functions) => ({
  name: "instrument",
  setup(builder) {
    const src = realpathSync(folder) + sep;
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!path.startsWith(src)) return undefined;
      const file = relative(src, path).split(sep).join("/");
      return { contents: instrument(readFileSync(path, "utf8"), file, functions), loader: "ts" };
    });
  },
});

/** Returns the text with a hook in each named function, and adds those functions to the list. */
export function instrument(text, file, functions) {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const edits = namedFunctions(program, text).flatMap(({ name, owner, node }) => {
    functions.push({ name, file, forwards: onlyForwards(node) });
    return hooksOf(text, owner, node, functions.length - 1);
  });
  return edits
    .toReversed()
    .toSorted((one, other) => other.from - one.from)
    .reduce((done, { from, to, put }) => done.slice(0, from) + put + done.slice(to), text);
}

/** Finds declarations, methods and functions that are assigned to a name. A constructor is none: it has no result. */
function namedFunctions(program, text) {
  const found = [];
  const add = (nameNode, value, owner) => {
    const node = unwrapped(value);
    if (!nameNode || !node?.body || !FUNCTIONS.includes(node.type)) return;
    found.push({ name: nameNode.name ?? text.slice(nameNode.start, nameNode.end), owner: owner ?? node, node });
  };
  const addProperty = (property) =>
    property.kind === "constructor" || add(property.key, property.value, isMethod(property) ? property : undefined);
  new Visitor({
    FunctionDeclaration: (node) => add(node.id, node),
    VariableDeclarator: ({ id, init }) => id.type === "Identifier" && add(id, init),
    AssignmentExpression: ({ left, right }) => add(left.type === "MemberExpression" ? left.property : left, right),
    Property: addProperty,
    MethodDefinition: addProperty,
    PropertyDefinition: addProperty,
  }).visit(program);
  return found;
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
const isMethod = ({ type, method, kind }) =>
  type === "MethodDefinition" || method === true || kind === "get" || kind === "set";

function unwrapped(node) {
  const wrappers = ["ParenthesizedExpression", "TSAsExpression", "TSSatisfiesExpression"];
  return wrappers.includes(node?.type) ? unwrapped(node.expression) : node;
}

const inserted = (at, code) => ({ from: at, to: at, put: code });

/** An async function becomes a plain one that returns the promise of an async body: nothing runs a tick later. */
function hooksOf(text, owner, node, id) {
  const { body, async: isAsync, generator } = node;
  const kind = isAsync ? "async " : "";
  if (generator)
    return [
      inserted(body.start + 1, `return yield* $iterated(${id}, ${kind}function* () {`),
      inserted(body.end - 1, "\n}, this);"),
    ];
  const isBlock = body.type === "BlockStatement" || body.type === "FunctionBody";
  const hooks = isBlock
    ? [inserted(body.start + 1, `return $entered(${id}, ${kind}() => {`), inserted(body.end - 1, "\n});")]
    : [inserted(body.start, `$entered(${id}, ${kind}() => `), inserted(body.end, ")")];
  if (!isAsync) return hooks;
  const keyword = owner.start + text.slice(owner.start, body.start).search(/\basync\b/);
  return [{ from: keyword, to: keyword + "async".length, put: "" }, ...hooks];
}

/** True when the body is nothing but a call with the parameters of the function itself. */
function onlyForwards({ params, body }) {
  const only = body.body?.length === 1 && body.body[0].type === "ReturnStatement" ? body.body[0].argument : body;
  const call = only?.type === "AwaitExpression" ? only.argument : only;
  if (call?.type !== "CallExpression" || params.length === 0 || params.length !== call.arguments.length) return false;
  const [given, taken] = [call.arguments, params].map((nodes) => nodes.map(identifierOf));
  return taken.every((name, index) => name !== undefined && name === given[index]);
}

const identifierOf = ({ type, name }) => (type === "Identifier" ? name : undefined);
