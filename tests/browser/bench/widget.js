// `cargo xtask bench widget` runs this. One argument, JSON: { root, packages, widgetScript, chromium, rounds }.
// Writes all samples to standard output as one JSON text; says on standard error what it is doing.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { chromium } from "playwright-core";
import { candidates } from "./candidates.js";
import { measure } from "./page-load.js";

const wish = JSON.parse(process.argv[2]);
const here = path.dirname(fileURLToPath(import.meta.url));
// Nothing but this machine can be found, whatever a page asks for.
const alone = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-gpu"];

const sites = new Worker(path.join(here, "sites.js"), { workerData: wish });
const { siteUrl } = await new Promise((resolve, reject) => {
  sites.once("message", resolve);
  sites.once("error", reject);
});

const samples = [];
// The first round warms the machine and counts for nothing.
for (let round = 0; round <= wish.rounds; round++) {
  const browser = await chromium.launch({ executablePath: wish.chromium, chromiumSandbox: false, args: alone });
  // Everybody is first once, and nobody always follows the same one.
  const turn = round % candidates.length;
  for (const candidate of [...candidates.slice(turn), ...candidates.slice(0, turn)]) {
    process.stderr.write(`    round ${round} of ${wish.rounds}: ${candidate.name}\n`);
    const sample = await measure(browser, candidate, siteUrl).catch((error) => {
      throw new Error(`${candidate.name} could not be measured`, { cause: error });
    });
    if (round > 0) samples.push({ round, ...sample });
  }
  await browser.close();
}
await sites.terminate();
process.stdout.write(JSON.stringify(samples));
