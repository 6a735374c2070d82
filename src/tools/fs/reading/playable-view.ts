import { LIMITS } from "../../../base/limits.ts";
import { bytesOf, type ByteSource } from "../../../content/byte-source.ts";
import { describePlayable, playableFactsOf } from "../../../content/media/header.ts";
import type { Media } from "../../../content/media.ts";
import { plural } from "../../../text/plural.ts";
import type { ShownMedia } from "../../../workspace/read/read-file.ts";

/** Returns sound that models accept, within a limit. Describes all other sound and film in words. */
export async function playableView({ kind, mime }: Media, source: ByteSource): Promise<ShownMedia> {
  const facts = describePlayable(await playableFactsOf(mime, source));
  const isShown = kind === "audio" && source.size <= LIMITS.mediaBytes;
  const note = [mime, ...(facts === "" ? [] : [facts]), plural(source.size, "byte")].join(", ");
  return {
    blocks: isShown ? [{ kind, mime, bytes: await bytesOf(source) }] : [],
    notes: [note, ...(isShown ? [] : [reasonOf(kind)])],
  };
}

const reasonOf = (kind: Media["kind"]): string =>
  kind === "audio"
    ? `Not played: it has more than ${LIMITS.mediaBytes} bytes`
    : "Not played: models are not given this format";
