import { likelihoodOfDefinition } from "../../text/search/definition.ts";
import type { FileMatches } from "./matches.ts";
import type { Hit, Query } from "./search.ts";

/**
 * Sorts files by a score: definitions rank above uses, sources above tests, documents and generated files; a file named
 * after the pattern, many matches and a recent modification add to it.
 */
export function sortByRank(files: readonly FileMatches[], query: Query): readonly FileMatches[] {
  const times = files.map(({ modifiedMs }) => modifiedMs);
  const [oldest, newest] = [
    times.reduce((a, b) => Math.min(a, b), Infinity),
    times.reduce((a, b) => Math.max(a, b), 0),
  ];
  const name = identifierCharsIn(query.patternOptions.pattern);
  const rated = files.map((file) => {
    const likelihoods = file.hits.map((hit) => likelihoodOf(hit, query));
    const best = likelihoods.reduce((max, each) => Math.max(max, each), -1);
    const recency = newest > oldest ? (file.modifiedMs - oldest) / (newest - oldest) : 0;
    const score =
      (best < 0 ? best : best * 10) + pathScore(file.place, name) + Math.min(5, Math.log2(file.count)) / 2 + recency;
    return { score, file: best >= DEFINITION ? { ...file, hits: definitionsFirst(file.hits, likelihoods) } : file };
  });
  const inOrder = rated.toSorted((a, b) => b.score - a.score || (a.file.place < b.file.place ? -1 : 1));
  return inOrder.map(({ file }) => file);
}

const DEFINITION = 2;

/** Moves definitions to the front of their file; all other lines keep the order of the file. */
function definitionsFirst(hits: readonly Hit[], likelihoods: readonly number[]): Hit[] {
  const tiers = likelihoods.map((likelihood) => (likelihood >= DEFINITION ? likelihood : 0));
  if (tiers.every((tier) => tier === tiers[0])) return [...hits];
  const rated = hits.map((hit, nth) => ({ hit, tier: tiers[nth] as number }));
  return rated.toSorted((a, b) => b.tier - a.tier || a.hit.line - b.hit.line).map(({ hit }) => hit);
}

/** Derives the end of a literal match from the pattern, because ripgrep reports only where a match starts. */
const likelihoodOf = ({ text, start, end }: Hit, { patternOptions }: Query): number =>
  likelihoodOfDefinition(
    text,
    start,
    end > start || !patternOptions.isLiteral ? end : start + patternOptions.pattern.length,
  );

const identifierCharsIn = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, "");

function pathScore(place: string, name: string): number {
  const depth = place.split("/").length / 10;
  const fileName = place.slice(place.lastIndexOf("/") + 1);
  const isNamed = name.length > 2 && fileName.length >= name.length && identifierCharsIn(fileName).includes(name);
  const base = (isNamed ? 2 : 0) - depth;
  return PATH_SIGNALS.reduce((sum, { pattern, score }) => sum + (pattern.test(place) ? score : 0), base);
}

const PATH_SIGNALS = [
  { pattern: /\/(?:tests?|__tests__|specs?|fixtures?|examples?|mocks?|bench)\/|[._-](?:test|spec)\.\w+$/i, score: -3 },
  {
    pattern: /\/(?:dist|build|out|vendor|third_party|generated|node_modules)\/|[.-](?:min|lock|generated)\b/i,
    score: -6,
  },
  { pattern: /\.(?:md|rst|txt|log|json|ya?ml|csv|html?|lock|map|svg)$/i, score: -2 },
];
