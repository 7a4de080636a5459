// Builds dist: the same sources as ES modules and as CommonJS, each with types of its own.
//
//     node build.mjs [FOLDER]

import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, "dist"));
const tsc = process.env.TSC ?? path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

rmSync(out, { recursive: true, force: true });
const kinds = { esm: { module: "esnext", type: "module" }, cjs: { module: "commonjs", type: "commonjs" } };
for (const [name, { module, type }] of Object.entries(kinds)) {
  const folder = path.join(out, name);
  execFileSync(process.execPath, [tsc, "-p", here, "--module", module, "--outDir", folder], { stdio: "inherit" });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type }) + "\n");
}
