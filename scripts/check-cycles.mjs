// Fails when files import each other in a cycle.
import { finish, root } from "./gate.mjs";
import { importsOf, sourceFiles, targetOf } from "./sources.mjs";

const files = sourceFiles(root);
const graph = new Map(files.map((file) => [file, importsOf(root, file).map((name) => targetOf(file, name))]));
finish(files.length, cycles());

function cycles() {
  const found = [];
  const done = new Set();
  const trail = [];
  const visit = (file) => {
    if (done.has(file)) return;
    if (trail.includes(file)) return void found.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
    trail.push(file);
    graph.get(file)?.forEach(visit);
    done.add(trail.pop());
  };
  [...graph.keys()].forEach(visit);
  return found;
}
