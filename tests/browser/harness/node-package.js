// A package of ours with packages of its own, copied into the target folder so that nothing is installed beside the source.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "./shingle.js";

const run = promisify(execFile);

/** The folder of the copy, with the packages of its lock file. npm runs no scripts of packages. */
export async function nodePackage(source) {
  const lock = await readFile(path.join(root, source, "package-lock.json"));
  const name = path.basename(source);
  const sum = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const folder = path.join(root, "target/node-packages", `${name}-${sum}`);
  if (!(await stat(path.join(folder, "installed")).catch(() => null))) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) await cp(path.join(root, source, file), path.join(folder, file));
    await run("npm", ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"], { cwd: folder, maxBuffer: 16 << 20 });
    await writeFile(path.join(folder, "installed"), "");
  }
  await cp(path.join(root, source), folder, { recursive: true });
  return folder;
}

/** Runs a program of the package's own packages. Its output is the error's, where it fails. */
export async function runIn(folder, program, ...words) {
  const file = path.join(folder, "node_modules", program);
  return run(process.execPath, [file, ...words], { cwd: folder, maxBuffer: 16 << 20 }).catch(({ stdout, stderr }) => {
    throw new Error(`${program}:\n${stdout}${stderr}`);
  });
}

/** The n8n nodes, compiled. */
export async function n8nNodes() {
  const folder = await nodePackage("www/n8n");
  await rm(path.join(folder, "dist"), { recursive: true, force: true });
  await runIn(folder, "typescript/bin/tsc");
  await run(process.execPath, ["copy-assets.mjs"], { cwd: folder });
  return folder;
}
