/** A file of ours that grows line by line until it is filed away. */
export interface Log {
  add(line: string): void;
  /** Gives the file its final name, in one instant. Nothing can be added afterwards. */
  file(name: string): void;
  /** Removes it. */
  drop(): void;
  /** Leaves it as it is. */
  close(): void;
}

/** Our own files, outside every workspace: made on first use, closed to everyone else. Names are "folder/name". */
export interface State {
  readonly directory: string;
  /** Adds whole lines to a file. */
  append(name: string, lines: string): void;
  /** Starts a new file. */
  open(name: string): Log;
  /** Puts a whole file in place. */
  write(name: string, text: string): void;
  /** Null when there is none. */
  read(name: string): string | null;
  /** The files in a folder; what else may be there is not ours. */
  list(folder: string): readonly string[];
  /** When a file was last added to. */
  changedMs(name: string): number;
  move(name: string, to: string): void;
  remove(name: string): void;
  /** This process, as `isGone` of another process knows it. */
  readonly self: string;
  isGone(owner: string, isSilent: boolean): boolean;
  /** Runs `work` while no other process changes anything. It must not wait. */
  locked<T>(work: () => T): Promise<T>;
}
