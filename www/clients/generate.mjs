// Writes the clients for TypeScript, Python and PHP from assets/openapi.json:
//
//     node www/clients/generate.mjs            writes what has changed
//     node www/clients/generate.mjs --check    writes nothing; fails if a file is not what would be written

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { read } from "./generator/description.mjs";
import { php } from "./generator/php.mjs";
import { python } from "./generator/python.mjs";
import { typescript } from "./generator/typescript.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Every generated file by its path from this folder. */
export async function generated() {
  const description = JSON.parse(await readFile(path.join(here, "../../assets/openapi.json"), "utf8"));
  const workspace = await readFile(path.join(here, "../../Cargo.toml"), "utf8");
  const [, version] = workspace.match(/^version = "([^"]+)"/m);
  const api = read(description, version);
  const files = { ...typescript(api), ...python(api), ...php(api) };
  // The manifests are written by hand; the version is the workspace's.
  const manifest = await readFile(path.join(here, "typescript/package.json"), "utf8");
  files["typescript/package.json"] = manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`);
  const project = await readFile(path.join(here, "python/pyproject.toml"), "utf8");
  files["python/pyproject.toml"] = project.replace(/^version = "[^"]*"/m, `version = "${version}"`);
  const license = await readFile(path.join(here, "../../LICENSE"), "utf8");
  for (const name of ["typescript", "python", "php"]) files[`${name}/LICENSE`] = license;
  return files;
}

/** The names of files that are not as they would be written now. */
export async function stale(files) {
  const current = (name) => readFile(path.join(here, name), "utf8").catch(() => "");
  const names = Object.keys(files);
  const differs = await Promise.all(names.map(async (name) => (await current(name)) !== files[name]));
  return names.filter((_, n) => differs[n]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await generated();
  const names = await stale(files);
  if (process.argv.includes("--check")) {
    for (const name of names) console.error(`not as generated: www/clients/${name}`);
    process.exitCode = names.length ? 1 : 0;
  } else {
    for (const name of names) await writeFile(path.join(here, name), files[name]);
    console.log(`${names.length} of ${Object.keys(files).length} files were written`);
  }
}
