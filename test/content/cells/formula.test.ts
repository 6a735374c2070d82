import { expect, it } from "vitest";
import {
  formulaProblem,
  referencesIn,
  shiftedFormula,
  shownFormula,
  storedFormula,
} from "../../../src/content/cells/formula.ts";
import { rangeName } from "../../../src/content/cells/cell-reference.ts";

it.each([
  "1",
  "A1+1",
  "-A1",
  "A1=-1",
  'IF(A1<>"",SUM(B:B),"a;b")',
  "{1,2;3,4}",
  "SUM({1,2;3,4})",
  "'Bob''s list'!A1",
  "Sheet1!$A$1:$B$2",
  "A1 A2",
  "A1%",
  "(A1+2)*3",
  "NOW()",
  "IF(,1,)",
  "Table1[[#All],[a;b]]",
  "#REF!+1",
  "1.5E-3",
  "@A1",
  "A1#",
  "TRUE",
  "-(1)",
  '"a" & "b"',
  "A1>=B1",
  "A1:INDEX(A:A,3)",
  "Prix_été*2",
])("accepts =%s", (formula) => {
  expect(formulaProblem(formula)).toBeUndefined();
});

it.each([
  ["", /empty/],
  [" ", /empty/],
  ["SUM(A1", /parentheses/],
  ["A1)", /parentheses/],
  ["(A1}", /parentheses/],
  ["SUM(A1;B1)", /","/],
  ["A1+", /missing/],
  ["A1*/2", /missing/],
  ["1 2", /missing/],
  ["SUM(A1)B", /missing/],
  ['"a', /no formula/],
  ["A1!", /missing/],
  ["a`b", /no formula/],
  ["LET(x,1,x)", /LET/],
  ["[a", /no formula/],
])("refuses =%s", (formula, problem) => {
  expect(formulaProblem(formula)).toMatch(problem);
});

it.each([
  ["A1+$B2*C$3+$D$4", 2, 1, "B3+$B4*D$3+$D$4"],
  ["SUM(A1:B2)&\"A1\"&'A1'!A1", 1, 0, "SUM(A2:B3)&\"A1\"&'A1'!A2"],
  ["SUM(A:A)+SUM(2:$3)", 1, 1, "SUM(B:B)+SUM(3:$3)"],
  ["A1", -1, 0, "#REF!"],
  ["XFD1048576", 1, 0, "#REF!"],
  ["LOG10(A1)+Tax1.2", 1, 0, "LOG10(A2)+Tax1.2"],
])("moves %s by %i rows and %i columns", (formula, rows, columns, moved) => {
  expect(shiftedFormula(formula, rows, columns)).toBe(moved);
});

it.each<[string, readonly string[] | undefined]>([
  ["A1+B$2:$C3", ["A1", "B2:C3"]],
  ["Stock!A1+'My notes'!B2", ["Stock!A1", "My notes!B2"]],
  ["SUM(C:C)", ["C1:C1048576"]],
  ["SUM(2:2)", ["A2:XFD2"]],
  ['"A1"&TRUE', []],
  ["Rate*2", undefined],
  ["INDIRECT(A1)", undefined],
  ["SUM(One:Two!A1)", undefined],
  ["Staff[Age]", undefined],
  ["[1]Other!A1", undefined],
  ["A1:INDEX(A:A,2)", undefined],
])("knows what =%s reads", (formula, read) => {
  const found = referencesIn(formula);
  expect(found?.map(({ sheet, range }) => `${sheet === undefined ? "" : `${sheet}!`}${rangeName(range)}`)).toEqual(
    read,
  );
});

it("stores newer functions with their prefixes, and shows them without", () => {
  const stored = storedFormula('TEXTJOIN(",",TRUE,filter(A1:A3,B1:B3))&SUM(1)&"CONCAT(1)"');
  expect(stored).toBe('_xlfn.TEXTJOIN(",",TRUE,_xlfn._xlws.FILTER(A1:A3,B1:B3))&SUM(1)&"CONCAT(1)"');
  expect(shownFormula(stored)).toBe('TEXTJOIN(",",TRUE,FILTER(A1:A3,B1:B3))&SUM(1)&"CONCAT(1)"');
});
