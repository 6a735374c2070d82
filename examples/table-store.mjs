// An object store over a table of rows. Put a database, a bucket or a server behind these five functions.

/** @returns {import("holdfast").ObjectStore} */
export function tableStore(contents = {}) {
  const rows = new Map();
  let writes = 0;
  const write = (key, bytes) => {
    rows.set(key, { bytes: Uint8Array.from(bytes), tag: `v${++writes}`, modifiedMs: Date.now() });
    return factsOf(key, rows.get(key));
  };
  for (const [key, bytes] of Object.entries(contents)) write(key, bytes);
  return {
    isConditional: true,
    isDurable: false,
    isEphemeral: true, // Its rows are in memory. Leave this out once they are in a database.
    async head(key) {
      const row = rows.get(key);
      return row ? factsOf(key, row) : null;
    },
    async get(key, tag, from, most) {
      const row = rows.get(key);
      return row?.tag === tag ? row.bytes.slice(from, from + most) : null;
    },
    async put(key, content, when) {
      const bytes = content instanceof Uint8Array ? content : rows.get(content.copyOf)?.bytes;
      return bytes && holds(rows.get(key), when) ? write(key, bytes) : null;
    },
    async remove(key, match) {
      return holds(rows.get(key), { match }) && rows.delete(key);
    },
    async *list(prefix, depth) {
      const listed = new Map();
      for (const [key, row] of rows) {
        if (!key.startsWith(prefix)) continue;
        const slash = depth === "entries" ? key.indexOf("/", prefix.length) : -1;
        const folded = slash < 0 ? key : key.slice(0, slash + 1);
        listed.set(folded, factsOf(folded, row));
      }
      yield* listed.values();
    },
  };
}

const factsOf = (key, { bytes, tag, modifiedMs }) => ({ key, size: bytes.length, modifiedMs, tag });

const holds = (row, when) => ("match" in when ? row?.tag === when.match : row === undefined);
