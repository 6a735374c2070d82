#!/usr/bin/env node
// A hook that is a program: refuses to change what looks generated. In the configuration file:
// { "hooks": { "beforeCall": [{ "command": ["node", "/path/to/hook-program.mjs"], "tools": ["write", "edit"] }] } }
import { text } from "node:stream/consumers";

/** @type {import("holdfast").HookedCall} */
const { tool, input } = JSON.parse(await text(process.stdin));
const { path = "" } = /** @type {{ path?: string }} */ (input);

/** @type {import("holdfast").BeforeAnswer} */
const refusal = { block: `${tool} would be lost: generated/ is made by the build` };

// To print nothing lets the call pass.
if (path.startsWith("generated/")) console.log(JSON.stringify(refusal));
