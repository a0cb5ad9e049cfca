// Writes src/api/schema.ts from the description that the server gives of itself: `npm run types`.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapi, { astToString } from "openapi-typescript";
import { startStudio } from "./lib/studio.mjs";

const studio = await startStudio();
const { origin, hash } = new URL(studio.address);
const answer = await fetch(`${origin}/api/v1/openapi.json`, { headers: { "X-Windrow-Token": hash.replace("#token=", "") } });
const description = await answer.json();
studio.stop();
const head = "// Generated from the server's own description by `npm run types`: change crates/studio/src/api instead.\n\n";
const target = join(dirname(fileURLToPath(import.meta.url)), "../src/api/schema.ts");
writeFileSync(target, head + astToString(await openapi(description, { alphabetize: true })));
