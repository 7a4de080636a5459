// The examples of the npm package: installed as their lock files say, built, opened in Chromium, and clicked.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { newVisitor } from "./harness/browser.js";
import { packageFolder } from "./harness/bundled-site.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";

const run = promisify(execFile);
const examples = path.join(root, "www/package/examples");
const kinds = [
  { name: "react18", title: "Roofs by React 18" },
  { name: "react19", title: "Roofs by React 19" },
  { name: "vue", title: "Roofs by Vue" },
  { name: "svelte", title: "Roofs by Svelte" },
  { name: "astro", title: "Roofs by Astro" },
  { name: "angular", title: "Roofs by Angular" },
];
const { shingle, browser } = await setUp();
const widget = await shingle.widget();
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };
/** By name of the example. They wait for the network, so all at once. */
const installed = new Map();
let work;
const folder = (name) => path.join(work, "examples", name);

/** The values of an example, as its own reader would write them. */
async function configure(name) {
  if (name === "angular") return writeFile(path.join(folder(name), "src/widget.ts"), `export const widget = ${JSON.stringify({ baseUrl: shingle.url, id: widget.referenceId })};\n`);
  const prefix = name === "astro" ? "PUBLIC" : "VITE";
  await writeFile(path.join(folder(name), ".env"), `${prefix}_SHINGLE_URL=${shingle.url}\n${prefix}_SHINGLE_WIDGET=${widget.referenceId}\n`);
}

/** How long it took. */
async function npm(name, ...words) {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };
  const begun = performance.now();
  const options = { cwd: folder(name), env, maxBuffer: 64 << 20 };
  await run("npm", words, options).catch(({ stdout, stderr }) => assert.fail(`npm ${words} in ${name}: ${stdout}${stderr}`));
  return `npm ${words.join(" ")}: ${Math.round((performance.now() - begun) / 1000)} s`;
}

async function site(t, dist) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const file = path.join(dist, pathname === "/" ? "index.html" : path.normalize(pathname));
    const body = await readFile(file).catch(() => null);
    if (body === null) return response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

before(async () => {
  work = await mkdtemp(path.join(tmpdir(), "shingle-examples-"));
  // Where the examples look for the package: two folders above.
  await cp(await packageFolder(), work, { recursive: true });
  for (const { name } of kinds) {
    await cp(path.join(examples, name), folder(name), { recursive: true, filter: (file) => !/\/(node_modules|dist|\.astro|\.angular)$/.test(file) });
    await configure(name);
    installed.set(name, npm(name, "ci", "--prefer-offline"));
    // Told by the example's own test.
    installed.get(name).catch(() => {});
  }
});
after(async () => {
  await Promise.allSettled(installed.values());
  await rm(work, { recursive: true, force: true });
});

describe("the npm package's example for", () => {
  for (const { name, title } of kinds) {
    test(`${name} is installed, built, and opens the dialog`, async (t) => {
      t.diagnostic(await installed.get(name));
      t.diagnostic(await npm(name, "run", "build"));
      const visitor = await newVisitor(browser, "desktop");
      const flow = new Flow(visitor.page);
      await visitor.page.goto(await site(t, path.join(folder(name), "dist")));
      assert.equal(await visitor.page.title(), title);
      await visitor.page.getByRole("button", { name: "What would mine cost?", disabled: false }).click();
      await flow.address.waitFor();
      await visitor.page.keyboard.press("Escape");
      await flow.address.waitFor({ state: "detached" });
      assert.equal(await flow.launcher.count(), 1);
      assert.deepEqual(visitor.problems, []);
      await visitor.leave();
    });
  }
});

test("every example is in the list, has its lock file, and keeps what is built out of Git", async () => {
  for (const { name } of kinds) {
    const lock = JSON.parse(await readFile(path.join(examples, name, "package-lock.json"), "utf8"));
    assert.ok(lock.packages["node_modules/shingle-embed"], name);
    assert.ok(!JSON.stringify(lock).includes('"resolved":"http'), name);
    assert.match(await readFile(path.join(examples, name, ".gitignore"), "utf8"), /node_modules\ndist\n/);
  }
});
