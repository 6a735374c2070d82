// Measures how long a photo takes until a model can be shown it, beside the package that decodes it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool, shakeHands, startServer } from "./client.mjs";
import { MISSED } from "./report.mjs";

/** Compares `read` of a photo of 12 megapixels with sharp alone, warm and as the first call of a session. */
export async function imagesReport({ rounds, sessions }) {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  const home = mkdtempSync(join(tmpdir(), "bench-images-"));
  const photo = join(home, "photo.jpg");
  writeFileSync(photo, await photoOf(sharp));
  try {
    const warm = await warmTimes(home, rounds, () => aloneMs(sharp, photo));
    const first = median(await firstMs(home, sessions));
    return tableOf({ ours: median(warm.ours), alone: median(warm.alone), ratio: median(warm.ratios), first });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Sets the bounds: so many times sharp alone, and so many milliseconds more for the first image. */
const [MOST, FIRST_MORE_MS] = [1.3, 150];

/** Makes a photo of 4000x3000 pixels with some detail, of about 4 MB. */
const photoOf = (sharp) =>
  sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 75 })
    .toBuffer();

async function aloneMs(sharp, photo) {
  const startedMs = performance.now();
  const image = sharp(readFileSync(photo)).autoOrient().resize({ width: 2000, height: 2000, fit: "inside" });
  (await image.jpeg({ quality: 80 }).toBuffer()).toString("base64");
  return performance.now() - startedMs;
}

const openSession = async (home) => {
  const command = [process.execPath, "dist/holdfast.cjs", home, "--loop-detection", "off", "--state", `${home}/state`];
  const server = startServer({ command, cwd: process.cwd(), env: {} });
  await shakeHands(server);
  return server;
};

async function readMs(server) {
  const { sentAt, arrivedAt, isError, texts } = await callTool(server, ["read", { path: "photo.jpg" }]);
  if (isError) throw new Error(`Cannot measure images: ${texts.join(" ")}`);
  return arrivedAt - sentAt;
}

/** Measures both in turn, so that both have the same machine. The first round warms up and does not count. */
async function warmTimes(home, rounds, alone) {
  const server = await openSession(home);
  /** @type {Record<"ours" | "alone" | "ratios", number[]>} */
  const times = { ours: [], alone: [], ratios: [] };
  for (let round = 0; round <= rounds; round++) {
    const [ours, sharps] = [await readMs(server), await alone()];
    if (round === 0) continue;
    times.ours.push(ours);
    times.alone.push(sharps);
    times.ratios.push(ours / sharps);
  }
  await server.stop();
  return times;
}

async function firstMs(home, sessions) {
  const times = [];
  for (let nth = 0; nth < sessions; nth++) {
    const server = await openSession(home);
    times.push(await readMs(server));
    await server.stop();
  }
  return times;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const verdictOf = (isKept) => (isKept ? "ok" : MISSED);

function tableOf({ ours, alone, ratio, first }) {
  return [
    "A photo of 12 megapixels until a model can be shown it (p50):",
    `  sharp alone ${alone.toFixed(0)} ms, read ${ours.toFixed(0)} ms: ${ratio.toFixed(2)} times, at most ${MOST}: ${verdictOf(ratio <= MOST)}`,
    `  the first of a session ${first.toFixed(0)} ms: ${(first - ours).toFixed(0)} ms more, at most ${FIRST_MORE_MS}: ${verdictOf(first - ours <= FIRST_MORE_MS)}`,
  ].join("\n");
}
