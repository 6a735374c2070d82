import { describe, expect, it } from "vitest";
import type { CellEdit } from "../../../src/content/cells/cell-edit.ts";
import { editNotebook } from "../../../src/content/cells/notebook-edit.ts";

const edited = (text: string, ...edits: readonly CellEdit[]) => {
  const { bytes, ...rest } = editNotebook(Buffer.from(text), edits);
  return { ...rest, text: Buffer.from(bytes).toString() };
};

/** A notebook as Jupyter writes it. */
const jupyter = (source: string, more = '"outputs": []'): string =>
  `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   ${more},
   "source": ${source}
  },
  {
   "cell_type": "markdown",
   "metadata": {"a": "\\u00e4"},
   "source": [
    "# Ünder"
   ]
  }
 ],
 "metadata": {"z": 1, "a": 1e2},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

const LINES = '[\n    "a\\n",\n    "b"\n   ]';

describe("source", () => {
  it.each<[string, string, string, string]>([
    ["lines", LINES, "x\ny\nz", '[\n    "x\\n",\n    "y\\n",\n    "z"\n   ]'],
    ["lines that end with a line break", LINES, "x\n", '[\n    "x\\n"\n   ]'],
    ["one line as several", '[\n    "a"\n   ]', "x\ny", '[\n    "x\\n",\n    "y"\n   ]'],
    ["an empty list", "[]", "x\ny", '[\n    "x\\n",\n    "y"\n   ]'],
    ["by nothing", LINES, "", "[]"],
    ["a text", '"a\\nb"', "x\ny", '"x\\ny"'],
    ["a list in one line", '["a\\n", "b"]', "x\ny", '["x\\n", "y"]'],
    ["a list of one element in one line", '["a"]', "x\ny", '["x\\n", "y"]'],
    ["quotes, tabs and other letters", LINES, '"\t\\é😀', '[\n    "\\"\\t\\\\é😀"\n   ]'],
    ["line ends of Windows", LINES, "x\r\ny", '[\n    "x\\n",\n    "y"\n   ]'],
  ])("replaces %s", (_, source, newText, written) => {
    const { text, notes } = edited(jupyter(source), { cell: "1", newText });
    expect(text).toBe(jupyter(written));
    expect(notes).toEqual([]);
  });

  it.each([
    [
      "compact JSON",
      '{"cells":[{"cell_type":"raw","source":["a"]}],"nbformat":4}',
      '{"cells":[{"cell_type":"raw","source":["x\\n","y"]}],"nbformat":4}',
    ],
    [
      "compact JSON without lines",
      '{"cells":[{"cell_type":"raw","source":[]}],"nbformat":4}',
      '{"cells":[{"cell_type":"raw","source":["x\\n","y"]}],"nbformat":4}',
    ],
    [
      "a list that is empty in one line",
      '{\n "cells": [\n  { "source": [] }\n ], "nbformat": 4}',
      '{\n "cells": [\n  { "source": ["x\\n", "y"] }\n ], "nbformat": 4}',
    ],
    [
      "line ends of Windows",
      '{\r\n "cells": [{\r\n  "source": []}],\r\n "nbformat": 4}',
      '{\r\n "cells": [{\r\n  "source": [\r\n   "x\\n",\r\n   "y"\r\n  ]}],\r\n "nbformat": 4}',
    ],
    [
      "a byte-order mark",
      '\uFEFF{"cells":[{"source":"a"}],"nbformat":4}',
      '\uFEFF{"cells":[{"source":"x\\ny"}],"nbformat":4}',
    ],
    [
      "a key that is there twice",
      '{"cells":[{"source":"a","source":"b"}],"nbformat":4}',
      '{"cells":[{"source":"a","source":"x\\ny"}],"nbformat":4}',
    ],
  ])("keeps %s", (_, before, after) => {
    expect(edited(before, { cell: "1", newText: "x\ny" }).text).toBe(after);
  });

  it("escapes letters where the file does", () => {
    const file = '{"cells":[{"source":"\\u00e4"}],"nbformat":4}';
    expect(edited(file, { cell: "1", newText: "é😀" }).text).toBe(
      '{"cells":[{"source":"\\u00e9\\ud83d\\ude00"}],"nbformat":4}',
    );
  });

  it("edits several cells", () => {
    const { text, cells } = edited(jupyter(LINES), { cell: "2", newText: "# B" }, { cell: "1", newText: "c" });
    expect(text).toBe(jupyter('[\n    "c"\n   ]').replace("# Ünder", "# B"));
    expect(cells).toEqual([
      { name: "cell 2", before: "# Ünder", after: "# B" },
      { name: "cell 1", before: "a\nb", after: "c" },
    ]);
  });
});

it("clears the outputs of code that changes, and says so", () => {
  const before = jupyter(LINES, '"outputs": [\n    {"output_type": "stream", "text": ["2\\n"]}\n   ]').replace(
    "null",
    "7",
  );
  const { text, notes } = edited(before, { cell: "1", newText: "x" });
  expect(text).toBe(jupyter('[\n    "x"\n   ]'));
  expect(notes).toEqual(["cleared the outputs of cell 1: they came from the old source"]);
});

it("keeps outputs where other cells change", () => {
  const before = jupyter(LINES, '"outputs": [1]').replace("null", "7");
  expect(edited(before, { cell: "2", newText: "x" }).text).toBe(before.replace("# Ünder", "x"));
});

it.each<[string, string, readonly CellEdit[], string, RegExp]>([
  ["a cell that is not there", jupyter(LINES), [{ cell: "3", newText: "" }], "invalid_input", /no number from 1 to 2/],
  ["cell 0", jupyter(LINES), [{ cell: "0", newText: "" }], "invalid_input", /no number/],
  ["the name of a cell", jupyter(LINES), [{ cell: "A1", newText: "" }], "invalid_input", /no number/],
  ["a sheet", jupyter(LINES), [{ sheet: "1", cell: "1", newText: "" }], "invalid_input", /no sheets/],
  [
    "one cell twice",
    jupyter(LINES),
    [
      { cell: "1", newText: "x" },
      { cell: "1", newText: "y" },
    ],
    "overlap",
    /twice/,
  ],
  ["the same source", jupyter(LINES), [{ cell: "1", newText: "a\nb" }], "no_change", /already/],
  ["no JSON", "{", [{ cell: "1", newText: "" }], "not_text", /no JSON/],
  [
    "comments in JSON",
    '{"cells":[{"source":""}],/**/"nbformat":4}',
    [{ cell: "1", newText: "" }],
    "not_text",
    /no JSON/,
  ],
  ["another JSON", "[]", [{ cell: "1", newText: "" }], "not_text", /no notebook/],
  ["an old notebook", '{"nbformat":3,"worksheets":[]}', [{ cell: "1", newText: "" }], "not_text", /no notebook/],
  ["a cell without a source", '{"cells":[{}],"nbformat":4}', [{ cell: "1", newText: "x" }], "not_text", /no source/],
  [
    "a source of numbers",
    '{"cells":[{"source":[1]}],"nbformat":4}',
    [{ cell: "1", newText: "x" }],
    "not_text",
    /no source/,
  ],
  ["deep JSON", "[".repeat(100_000), [{ cell: "1", newText: "x" }], "not_text", /nested too deeply/],
])("refuses %s", (_, text, edits, code, message) => {
  expect(() => edited(text, ...edits)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});

it("refuses bytes that are not UTF-8", () => {
  expect(() => editNotebook(Buffer.from([0xff]), [{ cell: "1", newText: "" }])).toThrow(/UTF-8/);
});
