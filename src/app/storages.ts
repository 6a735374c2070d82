import { Fault } from "../base/errors.ts";
import { isStorageUrl } from "../base/paths.ts";
import type { Root } from "../storage/local/jail/roots.ts";
import { memoryStorage } from "../storage/memory/memory-storage.ts";
import { requireMountable } from "../storage/objects/required-store.ts";
import type { Storage, StorageRegistry } from "../storage/storage.ts";
import type { NamedStorage, Options } from "./options.ts";

/** Lists the roots of the options: directories as they were given, storages by their real path "//name". */
interface MountedRoots {
  readonly roots: readonly (string | Root)[];
  readonly storages: readonly Storage[];
}

/** Mounts the storages among the roots. Throws for a scheme that nobody registered, and for a name that is unusable. */
export function mountStorages(options: Pick<Options, "roots" | "storages" | "plugins" | "durability">): MountedRoots {
  const registry = registryOf(options);
  const storages = new Map<string, Storage>();
  const mount = ({ name, storage }: NamedStorage): Root => {
    const root = rootNamed(name);
    if (storages.has(root)) throw nameFault(name, "two storages have it");
    requireMountable(storage, `the root ${root}`);
    const mounted = storage.mount(root);
    if (options.durability === "power") requireDurable(root, mounted);
    storages.set(root, mounted);
    return { given: root, real: root };
  };
  const roots = options.roots.map((root) => {
    if (typeof root !== "string") return mount(root);
    return isStorageUrl(root) ? mount(storageAt(root, registry)) : root;
  });
  return { roots, storages: [...storages.values()] };
}

/** Refuses a promise that the storage does not keep. One that is only read loses nothing. */
function requireDurable(root: string, { writer }: Storage): void {
  if (!writer || writer.guarantees.durable) return;
  throw new Fault(
    "invalid_input",
    `Cannot use ${root} with durability "power": its storage does not promise that changes survive a power cut; ` +
      'leave durability out, or use "process"',
  );
}

/** Joins the schemes. One of the program replaces ours; one of a plugin replaces none, and the first plugin wins. */
const registryOf = ({ storages, plugins = [] }: Pick<Options, "storages" | "plugins">): StorageRegistry =>
  Object.assign({}, ...plugins.toReversed().map((plugin) => plugin.storages), BUILTIN_STORAGES, storages);

function storageAt(url: string, registry: StorageRegistry): NamedStorage {
  const [scheme = "", rest = ""] = url.split("://");
  const [name = ""] = rest.split("/");
  const open = Object.hasOwn(registry, scheme) ? registry[scheme] : undefined;
  if (open) return { name, storage: open(url) };
  const known = Object.keys(registry).map((each) => `${each}://`);
  throw new Fault(
    "invalid_input",
    `Cannot use the root ${JSON.stringify(url)}: no storage has the scheme "${scheme}"; known: ${known.join(", ")}`,
  );
}

const BUILTIN_STORAGES: StorageRegistry = {
  memory(url) {
    if (/^memory:\/\/[^/]*\/?$/.test(url)) return memoryStorage();
    throw new Fault("invalid_input", `Cannot use the root ${JSON.stringify(url)}: give memory:// and a name only`);
  },
};

/** Returns the real path of a storage: no real path on a disk begins with two slashes. */
function rootNamed(name: string): string {
  if (typeof name === "string" && NAME.test(name)) return `//${name}`;
  throw nameFault(name, 'use letters, digits, "_", "-" and "."');
}

const NAME = /^[A-Za-z0-9][\w.-]*$/;

const nameFault = (name: string, reason: string): Fault =>
  new Fault("invalid_input", `Cannot name a storage ${JSON.stringify(name)}: ${reason}`);
