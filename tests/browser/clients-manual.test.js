// The programs that the manual and the clients' own pages show: each of them is run as it stands there.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { startDescribed } from "./harness/described.js";
import { spawnMortal } from "./harness/mortal.js";
import { pythonPackage } from "./harness/python.js";
import { root, Shingle } from "./harness/shingle.js";

const run = promisify(execFile);
const clients = path.join(root, "www/clients");
const httpx = pythonPackage("httpx", "0.28.1");
const noPhp = await run("php", ["--version"]).then(() => null, () => "php (php-cli)");
const pages = ["assets/manual/src/clients.md", ...["typescript", "python", "php"].map((name) => `www/clients/${name}/README.md`)];
const languages = {
  js: { missing: null, file: (code) => ["program.mjs", code], words: (file) => [process.execPath, file] },
  python: { missing: httpx.missing, file: (code) => ["program.py", code], words: (file) => ["python3", file] },
  php: { missing: noPhp, file: (code) => ["program.php", `<?php require ${JSON.stringify(path.join(clients, "php/autoload.php"))};\n${code}`], words: (file) => ["php", file] },
};
let work;

before(async () => {
  work = await mkdtemp(path.join(tmpdir(), "shingle-manual-clients-"));
  await cp(path.join(clients, "typescript"), path.join(work, "package"), { recursive: true, filter: (name) => !/\/(node_modules|dist)$/.test(name) });
  const TSC = path.join(root, "tests/browser/node_modules/typescript/bin/tsc");
  await run(process.execPath, [path.join(work, "package/build.mjs")], { env: { ...process.env, TSC } });
  await mkdir(path.join(work, "node_modules"));
  await symlink(path.join(work, "package"), path.join(work, "node_modules/shingle-client"));
});
after(() => rm(work, { recursive: true, force: true }));

/** What a machine lacks is a failure in CI. */
function lacks(t, missing) {
  assert.ok(!process.env.CI, `missing in CI: ${missing}`);
  t.skip(`skipped: ${missing}`);
}

let programs = 0;
/** The command line of a program, and its environment. */
async function written(language, code, env) {
  const folder = path.join(work, `program-${programs++}`);
  await mkdir(folder);
  const [name, text] = languages[language].file(code);
  await writeFile(path.join(folder, name), text);
  const PYTHONPATH = [path.join(clients, "python/src"), httpx.folder].join(path.delimiter);
  return { words: languages[language].words(path.join(folder, name)), env: { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1", ...env } };
}

const blocks = [];
for (const page of pages) {
  const text = await readFile(path.join(root, page), "utf8");
  for (const [, language, mark, code] of text.matchAll(/^```(\w+),(run|receive)\n(.*?)^```$/gms)) blocks.push({ page, language, mark, code });
}

const freePort = () => new Promise((found) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => found(port));
  });
});

test("each page has programs, and each language one of both kinds", () => {
  for (const page of pages) assert.ok(blocks.some((block) => block.page === page), page);
  for (const language of Object.keys(languages)) {
    for (const mark of ["run", "receive"]) assert.ok(blocks.some((block) => block.language === language && block.mark === mark), `${language} ${mark}`);
  }
});

describe("a program that asks", async () => {
  for (const [n, { page, language, code }] of blocks.filter(({ mark }) => mark === "run").entries()) {
    test(`${n + 1}: ${language} of ${page}`, async (t) => {
      const { missing } = languages[language];
      if (missing) return lacks(t, missing);
      const { shingle, lead } = await startDescribed(t);
      const { words: [program, ...words], env } = await written(language, code, { SHINGLE_URL: shingle.url, SHINGLE_KEY: shingle.key });
      const { stdout } = await run(program, words, { env });
      assert.match(stdout, /18\.75/);
      if (!code.includes("contacted")) return;
      assert.match(stdout, /Ann 14 Alder Court.*\n.*Cannot GET \/api\/v1\/leads\/no-such-lead/);
      assert.equal((await shingle.leads()).find(({ id }) => id === lead.id).status, "contacted");
    });
  }
});

describe("a program that receives", async () => {
  for (const [n, { page, language, code }] of blocks.filter(({ mark }) => mark === "receive").entries()) {
    test(`${n + 1}: ${language} of ${page}`, async (t) => {
      const { missing } = languages[language];
      if (missing) return lacks(t, missing);
      const shingle = await Shingle.start({ env: { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" } });
      t.after(() => shingle.stop());
      const port = await freePort();
      const hook = await shingle.api("POST", "/api/v1/webhooks", { name: "CRM", url: `http://127.0.0.1:${port}/`, events: ["lead.created"] });
      const { words: [program, ...words], env } = await written(language, code, { PORT: String(port), WEBHOOK_SECRET: hook.secret });
      const child = spawnMortal(program, language === "php" ? ["-S", `127.0.0.1:${port}`, ...words] : words, { env, stdio: ["ignore", "pipe", "pipe"] });
      t.after(() => child.kill("SIGKILL"));
      let said = "";
      const verified = new Promise((resolve) => {
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => /ping \S+/.test((said += chunk)) && resolve());
      });
      // It is there once it refuses a request that nobody signed.
      let refused;
      for (let left = 100; refused === undefined; left--) {
        refused = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" }).then(({ status }) => status, () => undefined);
        if (refused === undefined && !left) assert.fail(`it does not listen: ${said}`);
        if (refused === undefined) await new Promise((later) => setTimeout(later, 100));
      }
      assert.equal(refused, 400);
      const { deliveryId } = await shingle.api("POST", `/api/v1/webhooks/${hook.id}/test`);
      await verified;
      for (;;) {
        const { state, attempts } = await shingle.api("GET", `/api/v1/deliveries/${deliveryId}`);
        if (state === "pending") continue;
        assert.deepEqual([state, attempts[0].status], ["delivered", 204]);
        break;
      }
    });
  }
});
