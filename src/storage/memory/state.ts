import { nameIn, parentOf } from "../../base/paths.ts";
import type { Log, State } from "../state.ts";

/** Keeps our own files in memory, for a storage that ends with the process, or for an app without any directory. */
export function createMemoryState(): State {
  const { fileAt, created, put, remove, folderNamed, changedMs } = createStateFiles();
  const openLog = (name: string, file: StateFile): Log => createLog(file, () => fileAt(name) === file);
  let lastNumber = 0;
  return {
    directory: "",
    append: (name, lines) => appendTo(fileAt(name) ?? created(name), lines),
    open: (name) => openLog(name, created(name)),
    reopen(name) {
      const file = fileAt(name);
      return file && openLog(name, file);
    },
    write: (name, text) => appendTo(created(name), text),
    read: (name) => fileAt(name)?.text ?? null,
    readBytes(name) {
      const file = fileAt(name);
      return file ? Buffer.from(file.text) : null;
    },
    firstLine: (name) => fileAt(name)?.text.split("\n", 1)[0] ?? "",
    lastLine: (name) => fileAt(name)?.text.split("\n").at(-2) ?? "",
    list: (folder) => folderNamed(folder).names,
    overwrite(name, at, character) {
      const file = fileAt(name);
      if (file) changeBytes(file, (bytes) => void bytes.write(character, at));
      return file !== undefined;
    },
    changedMs,
    move(name, to) {
      const file = fileAt(name);
      if (!file) return;
      remove(name);
      put(to, file);
    },
    remove,
    self: "memory",
    hasExited: () => false,
    locked: async (work) => work(),
    nextNumber: (wanted) => (lastNumber = Math.max(wanted, lastNumber + 1)),
  };
}

/** Holds the files by folder and name. */
function createStateFiles() {
  const folders = new Map<string, Folder>();
  const folderNamed = (name: string): Folder => {
    const folder = folders.get(name) ?? { files: new Map(), names: [], changedMs: 0 };
    folders.set(name, folder);
    return folder;
  };
  const folderOf = (name: string): Folder => folderNamed(parentOf(`./${name}`).slice(2) || ".");
  const fileAt = (name: string): StateFile | undefined => folderOf(name).files.get(nameIn(name));
  const put = (name: string, file: StateFile): StateFile => {
    updateEntries(folderOf(name), (files) => files.set(nameIn(name), file));
    return file;
  };
  return {
    folderNamed,
    fileAt,
    put,
    created: (name: string): StateFile => put(name, { text: "", changedMs: nextMs() }),
    remove(name: string): void {
      if (fileAt(name)) updateEntries(folderOf(name), (files) => files.delete(nameIn(name)));
    },
    changedMs: (name: string): number => fileAt(name)?.changedMs ?? folders.get(name)?.changedMs ?? 0,
  };
}

interface StateFile {
  text: string;
  changedMs: number;
}

interface Folder {
  readonly files: Map<string, StateFile>;
  /** Is another list only when a name came or went. */
  names: readonly string[];
  changedMs: number;
}

function updateEntries(folder: Folder, update: (files: Folder["files"]) => unknown): void {
  update(folder.files);
  folder.names = [...folder.files.keys()];
  folder.changedMs = nextMs();
}

let lastMs = 0;

/** Returns another time for every change, however fast they follow each other. */
const nextMs = (): number => (lastMs = Math.max(lastMs + 0.001, Date.now()));

function appendTo(file: StateFile, text: string): void {
  file.text += text;
  file.changedMs = nextMs();
}

function changeBytes(file: StateFile, change: (bytes: Buffer) => Buffer | void): void {
  const bytes = Buffer.from(file.text);
  file.text = (change(bytes) ?? bytes).toString();
  file.changedMs = nextMs();
}

function createLog(file: StateFile, isInPlace: () => boolean): Log {
  let added = 0;
  return {
    add(line) {
      appendTo(file, `${line}\n`);
      added += Buffer.byteLength(line) + 1;
    },
    addedBytes: () => added,
    truncate(to) {
      changeBytes(file, (bytes) => bytes.subarray(0, bytes.length - (added - to)));
      added = to;
    },
    isInPlace,
    close: () => {},
  };
}
