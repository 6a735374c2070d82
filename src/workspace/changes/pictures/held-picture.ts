import * as z from "zod";
import { parseStored } from "../../../base/stored-json.ts";
import type { State } from "../../../storage/state.ts";
import { changeId, pictureEntry, realPath, storedTime } from "../journal/record-schema.ts";

/** A picture of roots, as the state remembers it. The pictures themselves and the copies are in the stores. */
export type HeldPicture = Readonly<z.output<typeof heldPicture>>;

const heldPicture = z.lazy(() =>
  z.object({
    id: changeId,
    /** Counts the intervals that were recorded. It names the picture that counts. */
    interval: z.int().nonnegative(),
    roots: z.array(z.object({ root: realPath, object: pictureEntry })).readonly(),
    /** Is not greater than the id of any change that was made since the picture was begun. */
    firstChange: z.string(),
    /** Names the record of the interval before, whose changes the picture shows already. */
    lastRecord: z.string().optional(),
    /** Is true when the last interval is recorded: only files of ours are left to erase. */
    isOver: z.boolean().optional(),
    /** Identifies the process that took it. */
    owner: z.string(),
    /** Says until when it is kept, whatever happens to that process. */
    keptUntilMs: storedTime.optional(),
  }),
);

/** Keeps notes of pictures, so that another process can finish the comparison, or erase them. */
export interface PictureNotes {
  ids(): readonly string[];
  read(id: string): HeldPicture | null;
  write(picture: HeldPicture): void;
  /** Returns when the note was last written. */
  writtenMs(id: string): number;
  remove(id: string): void;
}

export const createPictureNotes = (state: State): PictureNotes => ({
  ids: () => state.list(FOLDER).filter((name) => changeId.safeParse(name).success),
  read(id) {
    const text = changeId.safeParse(id).success ? state.read(fileOf(id)) : null;
    return text === null ? null : (parseStored(heldPicture, text) ?? null);
  },
  write: (picture) => state.write(fileOf(picture.id), JSON.stringify(picture)),
  writtenMs: (id) => state.changedMs(fileOf(id)),
  remove: (id) => state.remove(fileOf(id)),
});

const FOLDER = "pictures";

const fileOf = (id: string): string => `${FOLDER}/${id}`;
