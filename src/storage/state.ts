/** Names the folder of files that belong to a process, which is part of their names: `<name>.<owner>`. */
export const PENDING = "pending";
/** Names the folder of journals whose roots are gone or refuse: recovery tries them again when a process starts. */
export const WAITING = "waiting";
/** Owns what a process left when it died under the lock, or gave up: no process has this name. The boot follows it. */
export const NOBODY = "nobody";

/** Returns the owner of what a process leaves to everybody. */
export const nobodyAfter = (owner: string): string => `${NOBODY}.${owner.split(".")[0]}`;

/** An append-only file of ours that grows line by line. */
export interface Log {
  /** Appends all of the line, or nothing of it. */
  add(line: string): void;
  /** Returns how many bytes were added since it was opened. */
  addedBytes(): number;
  /** Removes what was added beyond `added` bytes. This needs no free space on the disk. */
  truncate(added: number): void;
  /** Is true while the name that it was opened by still refers to this very file, and not to a copy. */
  isInPlace(): boolean;
  close(): void;
}

/**
 * Stores our own files, outside every workspace: one home for all workspaces of a user. They are created on first use,
 * with access for the owner only. Names are "folder/name".
 */
export interface State {
  /** Is empty for state in memory, which only this process can see. */
  readonly directory: string;
  /** Appends whole lines to a file. */
  append(name: string, lines: string): void;
  /** Creates a new log. */
  open(name: string): Log;
  /** Opens an existing log; returns undefined when it is gone. */
  reopen(name: string): Log | undefined;
  /** Replaces a whole file atomically. */
  write(name: string, text: string): void;
  /** Returns null when there is none. */
  read(name: string): string | null;
  /** Returns the bytes of a file, which can be searched before they are decoded; null when there is none. */
  readBytes(name: string): Buffer | null;
  /** Returns the first line without reading the rest of the file; empty when there is none. */
  firstLine(name: string): string;
  /** Returns the last whole line without reading the rest of the file; empty when there is none. */
  lastLine(name: string): string;
  /**
   * Lists the files in a folder; anything else there is not ours. Returns the very same list while none has come or
   * gone.
   */
  list(folder: string): readonly string[];
  /** Overwrites one character in place; returns false when there is no such file. */
  overwrite(name: string, at: number, character: string): boolean;
  /** Returns when a file was last written to. */
  changedMs(name: string): number;
  move(name: string, to: string): void;
  remove(name: string): void;
  /** Identifies this process, as `hasExited` of another process knows it. */
  readonly self: string;
  hasExited(owner: string, isSilent: boolean): boolean;
  /**
   * Runs `work` while no other process changes anything. It must not wait. Where a process died under the lock, its
   * files in `PENDING` become those of `NOBODY` before another gets the lock.
   */
  locked<T>(work: () => T): Promise<T>;
  /** Returns `wanted`, or more than any number that a process got before. Requires the lock. */
  nextNumber(wanted: number): number;
}
