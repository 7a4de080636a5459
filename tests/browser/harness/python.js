// Programs in Python, each in a folder of its own below target, fetched when it is first needed.

import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { root } from "./shingle.js";

/** The folder with this version of a package in it and what it needs beside, or why not. */
export function pythonPackage(name, version, beside = []) {
  const folder = path.join(root, "target", `python-${name}`);
  const env = { ...process.env, PYTHONPATH: folder };
  const run = (...words) => spawnSync("python3", words, { encoding: "utf8", env });
  if (run("-m", "pip", "--version").status !== 0) return { missing: "python3 with pip is not installed" };
  const there = () => run("-c", `import importlib.metadata as m; assert m.version("${name}") == "${version}"`).status === 0;
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder, "--upgrade"];
  if (!there()) run(...install, `${name}==${version}`, ...beside);
  return there() ? { folder } : { missing: `${name} ${version} cannot be fetched` };
}

/** Python with these words, to its end: its status, and what it said on both streams. */
export async function python(words, { folder, cwd }) {
  const path_ = [path.join(folder, "bin"), process.env.PATH].join(path.delimiter);
  const env = { ...process.env, PATH: path_, PYTHONPATH: folder, NO_COLOR: "1", COLUMNS: "140" };
  const child = spawn("python3", words, { env, cwd });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) child[stream].on("data", (chunk) => (said[stream] += chunk));
  child.stdin.end();
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, ...said };
}
