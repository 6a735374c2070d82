import { likelihoodOfDefinition } from "../text/definition.ts";
import type { FileMatches } from "./matches.ts";
import type { Hit, Query } from "./search.ts";

/** Puts what was found in order: where a thing is made before where it is used, the likely places first. */
export function byInterest(files: readonly FileMatches[], query: Query): readonly FileMatches[] {
  const times = files.map(({ modifiedMs }) => modifiedMs);
  const [oldest, newest] = [
    times.reduce((a, b) => Math.min(a, b), Infinity),
    times.reduce((a, b) => Math.max(a, b), 0),
  ];
  const name = query.sought.pattern.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, "");
  const rated = files.map((file) => {
    const hits = file.hits.map((hit) => ({ hit, likelihood: likelihoodOf(hit, query) }));
    const best = hits.reduce((most, { likelihood }) => Math.max(most, likelihood), -1);
    const recency = newest > oldest ? (file.modifiedMs - oldest) / (newest - oldest) : 0;
    const interest =
      (best < 0 ? best : best * 10) +
      placeInterest(file.place, name) +
      Math.min(5, Math.log2(file.count)) / 2 +
      recency;
    const inOrder = hits.toSorted((a, b) => tierOf(b.likelihood) - tierOf(a.likelihood) || a.hit.line - b.hit.line);
    return { interest, file: { ...file, hits: inOrder.map(({ hit }) => hit) } };
  });
  const inOrder = rated.toSorted((a, b) => b.interest - a.interest || (a.file.place < b.file.place ? -1 : 1));
  return inOrder.map(({ file }) => file);
}

/** A definition leads its file; all other lines stay as they follow each other. */
const tierOf = (likelihood: number): number => (likelihood >= 2 ? likelihood : 0);

/** ripgrep tells where a match starts, not where it ends; of text that is looked for literally we know. */
const likelihoodOf = ({ text, start, end }: Hit, { sought }: Query): number =>
  likelihoodOfDefinition(text, start, end > start || !sought.isLiteral ? end : start + sought.pattern.length);

function placeInterest(place: string, name: string): number {
  const depth = place.split("/").length / 10;
  const base = place.slice(place.lastIndexOf("/") + 1).toLowerCase();
  const isNamed = name.length > 2 && base.replaceAll(/[^\p{L}\p{N}_]/gu, "").includes(name);
  return SIGNS.reduce((sum, { sign, worth }) => sum + (sign.test(place) ? worth : 0), (isNamed ? 2 : 0) - depth);
}

const SIGNS = [
  { sign: /\/(?:tests?|__tests__|specs?|fixtures?|examples?|mocks?|bench)\/|[._-](?:test|spec)\.\w+$/i, worth: -3 },
  { sign: /\/(?:dist|build|out|vendor|third_party|generated|node_modules)\/|[.-](?:min|lock|generated)\b/i, worth: -6 },
  { sign: /\.(?:md|rst|txt|log|json|ya?ml|csv|html?|lock|map|svg)$/i, worth: -2 },
];
