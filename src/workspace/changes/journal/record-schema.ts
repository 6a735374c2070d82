import { nameIn } from "../../../base/paths.ts";
import { OWN_NAMES } from "../../../base/product.ts";
import { MAX_DATE_MS } from "../../../base/time.ts";
import { objectParts } from "../../../storage/place.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { ChangeRecord } from "../change.ts";
import type { Step } from "../steps.ts";

/** Checks a value from our own files, which may be damaged or written by somebody else. */
type Check = (value: unknown) => boolean;

export const isChangeId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-z]+$/.test(value);

export const isChangeRecord = (value: unknown): value is ChangeRecord => record(value);

export const isStep = (value: unknown): value is Step => steps.some((step) => step(value));

/** Checks that a value is the trash item with this id. */
export const isTrashItem = (value: unknown, id: string): boolean =>
  item(value) && isTrashObject(value as StoredItem, id);

/** Checks that a place is in a store, or has a name that only this change set uses. Nothing else is ours to erase. */
export function isOwnPlace(value: unknown, tag: string): boolean {
  if (!path(value)) return object(value);
  const name = nameIn(String(value));
  const start = `${OWN_NAMES}${tag}-`;
  return name.startsWith(start) && /^\d+(?:-old|-aside)?$/.test(name.slice(start.length));
}

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const flag: Check = (value) => typeof value === "boolean";
/** Accepts only what a Date can represent. */
const time: Check = (value) => typeof value === "number" && Math.abs(value) <= MAX_DATE_MS;
const path: Check = (value) => typeof value === "string" && value.startsWith("/");

function object(value: unknown): boolean {
  try {
    return typeof value === "string" && ["objects", "trash"].includes(objectParts(value as ObjectName).folder);
  } catch {
    return false;
  }
}

const place: Check = (value) => path(value) || object(value);

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const among =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);

const shaped = (shape: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(shape);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    checks.every(([key, check]) => check((value as Readonly<Record<string, unknown>>)[key]));
};

const principal = among("agent", "user");

const image = shaped({
  kind: among("file", "directory", "symlink", "other"),
  version: text,
  size: number,
  mode: number,
  modifiedMs: number,
  identity: text,
  fingerprint: optional(text),
  object: optional(object),
});

const effect = shaped({
  action: among("create", "replace", "append", "move", "copy", "delete", "mkdir", "chmod", "restore"),
  path,
  from: optional(path),
  source: optional(object),
  before: orNull(image),
  after: orNull(image),
  lines: optional(shaped({ added: number, removed: number })),
  delta: optional(shaped({ at: number, length: number, inserted: text })),
  isUnseen: optional(flag),
});

const record = shaped({
  id: isChangeId,
  timeMs: time,
  session: text,
  principal,
  tool: text,
  effects: listOf(effect),
  undoes: optional(listOf(text)),
});

const item = shaped({
  id: text,
  changeId: isChangeId,
  object,
  path,
  deletedMs: time,
  expiresMs: time,
  principal,
  session: text,
  image,
  files: number,
  bytes: number,
  isDoomed: optional(flag),
});

interface StoredItem {
  readonly id: string;
  readonly object: ObjectName;
}

/** Checks that an item refers to the trash object with its own id: the trash must not remove anything else. */
function isTrashObject(stored: StoredItem, id: string): boolean {
  const { folder, name } = objectParts(stored.object);
  return stored.id === id && folder === "trash" && name === id;
}

const steps = [
  shaped({ do: among("move"), from: place, to: place, identity: text, staged: optional(text) }),
  shaped({
    do: among("replace"),
    from: place,
    to: path,
    identity: text,
    kept: place,
    stamp: text,
    staged: optional(text),
  }),
  shaped({ do: among("rewrite"), path, identity: text, from: object, kept: object, stamp: text }),
  shaped({ do: among("mkdir"), path }),
  shaped({ do: among("chmod"), path, identity: text, mode: number, was: number }),
  shaped({ do: among("append"), path, identity: text, size: number, added: number, head: optional(text) }),
];
