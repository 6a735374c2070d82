import { likelihoodOfDefinition } from "../../text/search/definition.ts";
import type { FileMatches } from "./matches.ts";
import type { Hit, Query } from "./search.ts";

/** Puts what was found in order: where a thing is made before where it is used, the likely places first. */
export function byRank(files: readonly FileMatches[], query: Query): readonly FileMatches[] {
  const times = files.map(({ modifiedMs }) => modifiedMs);
  const [oldest, newest] = [
    times.reduce((a, b) => Math.min(a, b), Infinity),
    times.reduce((a, b) => Math.max(a, b), 0),
  ];
  const name = lettersIn(query.patternOptions.pattern);
  const rated = files.map((file) => {
    const likelihoods = file.hits.map((hit) => likelihoodOf(hit, query));
    const best = likelihoods.reduce((most, each) => Math.max(most, each), -1);
    const recency = newest > oldest ? (file.modifiedMs - oldest) / (newest - oldest) : 0;
    const interest =
      (best < 0 ? best : best * 10) + pathScore(file.place, name) + Math.min(5, Math.log2(file.count)) / 2 + recency;
    return { interest, file: best >= DEFINITION ? { ...file, hits: definitionsFirst(file.hits, likelihoods) } : file };
  });
  const inOrder = rated.toSorted((a, b) => b.interest - a.interest || (a.file.place < b.file.place ? -1 : 1));
  return inOrder.map(({ file }) => file);
}

const DEFINITION = 2;

/** A definition leads its file; all other lines stay as they follow each other. */
function definitionsFirst(hits: readonly Hit[], likelihoods: readonly number[]): Hit[] {
  const tiers = likelihoods.map((likelihood) => (likelihood >= DEFINITION ? likelihood : 0));
  if (tiers.every((tier) => tier === tiers[0])) return [...hits];
  const rated = hits.map((hit, nth) => ({ hit, tier: tiers[nth] as number }));
  return rated.toSorted((a, b) => b.tier - a.tier || a.hit.line - b.hit.line).map(({ hit }) => hit);
}

/** ripgrep tells where a match starts, not where it ends; of text that is looked for literally we know. */
const likelihoodOf = ({ text, start, end }: Hit, { patternOptions }: Query): number =>
  likelihoodOfDefinition(
    text,
    start,
    end > start || !patternOptions.isLiteral ? end : start + patternOptions.pattern.length,
  );

const lettersIn = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, "");

function pathScore(place: string, name: string): number {
  const depth = place.split("/").length / 10;
  const base = place.slice(place.lastIndexOf("/") + 1);
  const isNamed = name.length > 2 && base.length >= name.length && lettersIn(base).includes(name);
  return PATH_SIGNALS.reduce((sum, { sign, worth }) => sum + (sign.test(place) ? worth : 0), (isNamed ? 2 : 0) - depth);
}

const PATH_SIGNALS = [
  { sign: /\/(?:tests?|__tests__|specs?|fixtures?|examples?|mocks?|bench)\/|[._-](?:test|spec)\.\w+$/i, worth: -3 },
  { sign: /\/(?:dist|build|out|vendor|third_party|generated|node_modules)\/|[.-](?:min|lock|generated)\b/i, worth: -6 },
  { sign: /\.(?:md|rst|txt|log|json|ya?ml|csv|html?|lock|map|svg)$/i, worth: -2 },
];
