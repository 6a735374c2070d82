/** A file of ours that grows line by line. */
export interface Log {
  /** All of the line, or nothing of it. */
  add(line: string): void;
  /** How many bytes were added since it was opened. */
  addedBytes(): number;
  /** Takes away what was added since they were so many. This takes no room on the disk. */
  truncate(added: number): void;
  /** Whether what has the name that it was opened by is still this very file, and not a copy. */
  isInPlace(): boolean;
  close(): void;
}

/** Our own files, outside every workspace: made on first use, closed to everyone else. Names are "folder/name". */
export interface State {
  readonly directory: string;
  /** Adds whole lines to a file. */
  append(name: string, lines: string): void;
  /** Starts a new file. */
  open(name: string): Log;
  /** Goes on with one; undefined when it is gone. */
  reopen(name: string): Log | undefined;
  /** Puts a whole file in place. */
  write(name: string, text: string): void;
  /** Null when there is none. */
  read(name: string): string | null;
  /** The last line of a file, without the rest of it; empty when there is none. */
  lastLine(name: string): string;
  /** The files in a folder; what else may be there is not ours. The very same list only while none has come or gone. */
  list(folder: string): readonly string[];
  /** Puts a character over another one; false when there is no such file. */
  overwrite(name: string, at: number, character: string): boolean;
  /** When a file was last added to. */
  changedMs(name: string): number;
  move(name: string, to: string): void;
  remove(name: string): void;
  /** This process, as `isGone` of another process knows it. */
  readonly self: string;
  hasExited(owner: string, isSilent: boolean): boolean;
  /** Runs `work` while no other process changes anything. It must not wait. */
  locked<T>(work: () => T): Promise<T>;
}
