import { importsOf, sourceFiles, targetOf } from "./sources.mjs";

/** Layers of small pure functions: how often one is entered says nothing about the way of a call. */
const UNCOUNTED = ["base", "text"];
const OFTEN = 6;
const START = { name: "call", layer: "runtime" };
const PLAN = { name: "plan", layer: "tools" };

/**
 * Builds the walk of a call from all entries: a tree of functions, in which entries of one function below the same one
 * are a single node. Work that the program did meanwhile for others has roots of its own, and is left out.
 */
export function walkOf(entries, functions) {
  const roots = [];
  const nodes = [];
  for (const [id, above] of entries) {
    const siblings = above < 0 ? [] : nodes[above].below;
    const node = siblings.find((each) => each.id === id) ?? addNode(siblings, { id, ...functions[id] });
    node.times++;
    nodes.push(node);
    if (above < 0) roots.push(node);
  }
  const walk = roots.find((root) => pathTo(root, PLAN).length > 0);
  if (!walk) throw new Error(`Cannot trace the call: it entered no function ${PLAN.name} of ${PLAN.layer}/`);
  return walk;
}

function addNode(siblings, fn) {
  const node = { ...fn, times: 0, below: [] };
  siblings.push(node);
  return node;
}

/** Returns the nodes from the root to the first that is the one sought, in the order of the walk. */
function pathTo(node, { name, layer }) {
  if (node.name === name && layerOf(node) === layer) return [node];
  const rest = node.below.map((each) => pathTo(each, { name, layer })).find((path) => path.length > 0);
  return rest ? [node, ...rest] : [];
}

const layerOf = ({ file }) => file.split("/")[0];
const isCounted = (node) => !UNCOUNTED.includes(layerOf(node));

/** Removes the layers that are not counted; what they call stands below their callers. */
export function countedOnly(node) {
  const below = node.below.flatMap((each) => (isCounted(each) ? [countedOnly(each)] : countedOnly(each).below));
  return { ...node, below };
}

/** Counts what makes a call long or hard to follow. `src` is the folder that the files of the walk are in. */
export function countsOf(walk, src) {
  const all = nodesOf(walk);
  const counted = all.filter(isCounted);
  const functions = totalsOf(counted);
  return {
    entries: counted.reduce((sum, { times }) => sum + times, 0),
    functions: functions.length,
    framesToPlan: framesToPlan(walk),
    often: functions.filter(({ times }) => times > OFTEN).toSorted((one, other) => other.times - one.times),
    forwarding: totalsOf(counted.filter(({ forwards, below }) => forwards && below.length > 0)),
    upward: upwardCalls(all, src),
  };
}

const nodesOf = (node) => [node, ...node.below.flatMap(nodesOf)];

function totalsOf(nodes) {
  const totals = new Map();
  for (const { id, name, file, times } of nodes)
    totals.set(id, { name, file, times: times + (totals.get(id)?.times ?? 0) });
  return [...totals.values()];
}

function framesToPlan(walk) {
  const path = pathTo(walk, PLAN);
  const start = path.findLastIndex((node) => node.name === START.name && layerOf(node) === START.layer);
  if (start < 0) throw new Error(`Cannot count frames: no ${START.name} of ${START.layer}/ leads to ${PLAN.name}`);
  return path.slice(start + 1, -1).filter(isCounted).length;
}

/** Lists calls into a layer that imports the caller's: a callback that was handed down, or a hidden dependency. */
function upwardCalls(nodes, src) {
  const above = layersAbove(src);
  const calls = nodes.flatMap((node) =>
    node.below
      .filter((each) => above(layerOf(node)).has(layerOf(each)) && !above(layerOf(each)).has(layerOf(node)))
      .map((each) => `${node.name} (${node.file}) → ${each.name} (${each.file})`),
  );
  return [...new Set(calls)];
}

/** Returns a function that gives all layers which import a layer, directly or through others. */
function layersAbove(src) {
  const importers = new Map();
  for (const file of sourceFiles(src, ["."]))
    for (const name of importsOf(src, file)) {
      const target = targetOf(file, name);
      if (!target) continue;
      const layer = layerOf({ file: target });
      importers.set(layer, (importers.get(layer) ?? new Set()).add(layerOf({ file })));
    }
  return (layer) => {
    const above = new Set(importers.get(layer));
    for (const each of above) importers.get(each)?.forEach((next) => above.add(next));
    return above;
  };
}
