#!/usr/bin/env node
// A hook as a program: it refuses to change files that look generated. In the configuration file:
// { "hooks": { "beforeCall": [{ "command": ["node", "/path/to/hook-program.mjs"], "tools": ["write", "edit"] }] } }
import { text } from "node:stream/consumers";

/** @type {import("holdfast").HookedCall} */
const { tool, input } = JSON.parse(await text(process.stdin));
const { path = "" } = /** @type {{ path?: string }} */ (input);

/** @type {import("holdfast").BeforeCallAnswer} */
const refusal = { block: `${tool} would be lost: generated/ is made by the build` };

// Printing nothing lets the call pass.
if (path.startsWith("generated/")) console.log(JSON.stringify(refusal));
