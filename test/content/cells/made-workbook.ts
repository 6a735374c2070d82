import { readXlsx } from "hucre";
import { makeZip, type ZipPart } from "../archives/make-zip.ts";
import { openPackage } from "../../../src/content/cells/zip-package.ts";

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Describes a workbook as Excel writes it: with shared texts, styles and an order of calculation. */
export interface MadeWorkbook {
  /** The rows of the first sheet. */
  readonly rows?: string;
  /** Follows the rows. */
  readonly rest?: string;
  readonly columns?: string;
  readonly sheet?: string;
  readonly second?: string;
  readonly workbook?: string;
  readonly calculation?: string;
  readonly links?: readonly (readonly [type: string, target: string])[];
  readonly parts?: readonly ZipPart[];
  /** Changes the parts before they are packed. */
  readonly packed?: (part: ZipPart) => ZipPart;
  readonly zip?: Parameters<typeof makeZip>[1];
}

const sheetXml = (rows: string, { columns = "", rest = "" }: Pick<MadeWorkbook, "columns" | "rest"> = {}): string =>
  `${HEAD}<worksheet ${MAIN}><dimension ref="A1:B3"/>${columns}<sheetData>${rows}</sheetData>${rest}</worksheet>`;

const STYLES = `${HEAD}<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="[Red]yyyy&quot;d&quot;"/></numFmts>
<cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="49"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>`;

const TEXTS = `${HEAD}<sst ${MAIN}><si><t>Rope</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>no</t></rPh></si><si/></sst>`;

export function makeWorkbook(made: MadeWorkbook = {}): Buffer {
  const { rows = ROWS, workbook = "", calculation = '<calcPr calcId="191029"/>', links = [] } = made;
  const link = ([type, target]: readonly [string, string], nth: number): string =>
    `<Relationship Id="rId${nth + 1}" Type="${TYPES}/${type}" Target="${target}"/>`;
  const all = [
    ["worksheet", "worksheets/sheet1.xml"],
    ["worksheet", "worksheets/sheet2.xml"],
    ["styles", "styles.xml"],
    ["sharedStrings", "sharedStrings.xml"],
    ["calcChain", "calcChain.xml"],
  ] as const;
  const relationships = (list: readonly string[]): string =>
    `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`;
  const parts: readonly ZipPart[] = [
    {
      name: "[Content_Types].xml",
      content: `${HEAD}<Types><Default Extension="xml" ContentType="a"/><Override PartName="/xl/calcChain.xml" ContentType="b"/></Types>`,
    },
    { name: "_rels/.rels", content: relationships([link(["officeDocument", "xl/workbook.xml"], 0)]) },
    {
      name: "xl/workbook.xml",
      content: `${HEAD}<workbook ${MAIN} xmlns:r="${TYPES}">${workbook}<sheets><sheet name="Stock" sheetId="1" r:id="rId1"/><sheet name="My notes" sheetId="2" r:id="rId2"/></sheets>${calculation}</workbook>`,
    },
    { name: "xl/_rels/workbook.xml.rels", content: relationships(all.map(link)) },
    { name: "xl/worksheets/sheet1.xml", content: made.sheet ?? sheetXml(rows, made) },
    { name: "xl/worksheets/_rels/sheet1.xml.rels", content: relationships(links.map(link)) },
    {
      name: "xl/worksheets/sheet2.xml",
      content: made.second ?? sheetXml('<row r="1"><c r="A1"><f>Stock!B1+1</f><v>2</v></c></row>'),
    },
    { name: "xl/styles.xml", content: STYLES },
    { name: "xl/sharedStrings.xml", content: TEXTS },
    { name: "xl/calcChain.xml", content: `${HEAD}<calcChain ${MAIN}><c r="B3" i="1"/></calcChain>` },
    { name: "xl/media/image1.png", content: Buffer.from([0x89, 0x50, 0, 255]), method: 0 },
    ...(made.parts ?? []),
  ];
  return makeZip(made.packed ? parts.map(made.packed) : parts, made.zip);
}

export const ROWS =
  '<row r="1" spans="1:2"><c r="A1" s="4" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row>' +
  '<row r="2"><c r="A2" t="inlineStr"><is><t>b</t></is></c><c r="B2" s="1"><v>46082</v></c></row>' +
  '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" t="str"><f>B1&amp;"x"</f><v>1x</v></c></row>';

/** Returns the text of a part. */
export const partOf = async (bytes: Uint8Array, name: string): Promise<string> => (await openPackage(bytes)).text(name);

/** Returns the rows of the first sheet as text. */
export async function rowsOf(bytes: Uint8Array): Promise<string> {
  const xml = await partOf(bytes, "xl/worksheets/sheet1.xml");
  return /<(?:\w+:)?sheetData>(.*)<\/(?:\w+:)?sheetData>/s.exec(xml)?.[1] ?? xml;
}

/** Returns the values of a sheet as another reader sees them; formulas begin with "=". */
export async function peerValues(bytes: Uint8Array, sheet = 0): Promise<readonly (readonly unknown[])[]> {
  const { sheets } = await readXlsx(new Uint8Array(bytes));
  const { rows = [], cells } = sheets[sheet] ?? {};
  return rows.map((row, r) =>
    row.map((value, c) => {
      const formula = cells?.get(`${r},${c}`)?.formula;
      if (formula !== undefined) return `=${formula.replace(/^=/, "")}`;
      return value instanceof Date ? value.toISOString().slice(0, 10) : value;
    }),
  );
}
