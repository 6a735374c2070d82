import * as z from "zod";
import type { Place } from "../../../storage/writer.ts";
import { objectName, pictureEntry, realPath, stagedEntry, viewEntry } from "./record-schema.ts";

export const place = z.union([realPath, objectName, viewEntry, pictureEntry]);

/** Accepts objects only; the plan of a change set has one type for all places. */
const inStore: z.ZodType<Place> = objectName;

export const step = z.lazy(() =>
  z.discriminatedUnion("do", [replaceStep(), rewriteStep(), moveStep(), directoryStep(), modeStep(), appendStep()]),
);

const moved = () => ({
  from: z.union([place, stagedEntry]),
  /** Identifies the inode that moves. */
  identity: z.string(),
  /** The state of a file that we staged: nobody misses it at `from`. */
  staged: z.string().optional(),
});

const moveStep = () => z.object({ do: z.literal("move"), ...moved(), to: place });

/** Replaces one file by another. */
const replaceStep = () =>
  z.object({
    do: z.literal("replace"),
    ...moved(),
    to: realPath,
    /** The backup of the replaced file. */
    kept: place,
    /** The checked state of the replaced file: a file in another state must not be replaced. */
    stamp: z.string(),
  });

/** Writes a new content into the same inode: the file is mounted and cannot be replaced. */
const rewriteStep = () =>
  z.object({
    do: z.literal("rewrite"),
    path: realPath,
    identity: z.string(),
    /** Holds the new content. */
    from: inStore,
    /** Holds a copy of the old content. */
    kept: inStore,
    /** The state of the file when it was copied. */
    stamp: z.string(),
  });

const directoryStep = () => z.object({ do: z.literal("mkdir"), path: realPath });

const modeStep = () =>
  z.object({ do: z.literal("chmod"), path: realPath, identity: z.string(), mode: z.number(), was: z.number() });

const appendStep = () =>
  z.object({
    do: z.literal("append"),
    path: realPath,
    identity: z.string(),
    /** The length before the append. */
    size: z.number(),
    added: z.number(),
    /** Holds the first bytes that it adds, in base64, which tell them from bytes that somebody else appends meanwhile. */
    head: z.string().optional(),
  });
