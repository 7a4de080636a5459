// The clients for TypeScript, Python and PHP: as the generator writes them, checked by the strictest type checkers, and at
// work on the live server and on a faulty one.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { generated, stale } from "../../www/clients/generate.mjs";
import { startDescribed } from "./harness/described.js";
import { faultyApi } from "./harness/faulty-api.js";
import { pythonPackage } from "./harness/python.js";
import { root, Shingle } from "./harness/shingle.js";
import { webhookReceiver } from "./harness/webhook-receiver.js";

const run = promisify(execFile);
const clients = path.join(root, "www/clients");
const modules = path.join(root, "tests/browser/node_modules");
const tool = (name) => path.join(modules, name);
const at = (...parts) => path.join(clients, ...parts);
let work;
/** The installed npm package: its folder and its entry for `import`. */
let installed, entry;

/** What a machine lacks is a failure in CI. */
function lacks(t, missing) {
  assert.ok(!process.env.CI, `missing in CI: ${missing}`);
  t.skip(`skipped: ${missing}`);
}

const httpx = pythonPackage("httpx", "0.28.1");
const php = await run("php", ["-r", "echo implode(' ', get_loaded_extensions());"]).then(({ stdout }) => stdout.split(" "), () => []);
const noPhp = php.length ? null : "php (php-cli)";

/** Each kind of client: why it cannot run, and how its scripts in `tests` are run. */
const kinds = [
  { name: "TypeScript", missing: null, script: (name, words, env) => node([at("typescript/tests", `${name}.mjs`), entry, ...words], env) },
  { name: "Python", missing: httpx.missing, script: (name, words, env) => python(name, words, env) },
  { name: "Python with asyncio", missing: httpx.missing, script: (name, words, env) => python(name, [...words, "async"], env) },
  { name: "PHP with curl", missing: noPhp ?? (php.includes("curl") ? null : "php-curl"), script: (name, words, env) => phpScript(name, [...words, "curl"], env) },
  { name: "PHP with streams", missing: noPhp, script: (name, words, env) => phpScript(name, [...words, "stream"], env) },
];
const node = async (words, env) => (await run(process.execPath, words, { env: { ...process.env, ...env }, cwd: work })).stdout;
const python = async (name, words, env) => {
  const PYTHONPATH = [at("python/src"), httpx.folder].join(path.delimiter);
  const file = at("python/tests", `${name.replaceAll("-", "_")}.py`);
  return (await run("python3", ["-W", "error", file, ...words], { env: { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1", ...env } })).stdout;
};
const phpScript = async (name, words, env) => {
  const strict = ["-d", "error_reporting=-1", "-d", "display_errors=stderr"];
  const { stdout, stderr } = await run("php", [...strict, at("php/tests", `${name}.php`), ...words], { env: { ...process.env, ...env } });
  assert.equal(stderr, "");
  return stdout;
};

before(async () => {
  work = await mkdtemp(path.join(tmpdir(), "shingle-clients-"));
  // Packed and unpacked: what is not in the package is not there for its users.
  const copy = path.join(work, "package");
  await cp(at("typescript"), copy, { recursive: true, filter: (name) => !/\/(node_modules|dist)$/.test(name) });
  await node([path.join(copy, "build.mjs")], { TSC: tool("typescript/bin/tsc") });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", work], { cwd: copy });
  installed = path.join(work, "node_modules/shingle-client");
  await mkdir(installed, { recursive: true });
  const { name, version } = JSON.parse(await readFile(path.join(copy, "package.json"), "utf8"));
  await run("tar", ["xf", path.join(work, `${name}-${version}.tgz`), "--strip-components=1", "-C", installed]);
  entry = path.join(installed, "dist/esm/index.js");
});
after(() => rm(work, { recursive: true, force: true }));

test("every generated file is what the generator writes from the description now", async () => {
  const files = await generated();
  assert.ok(Object.keys(files).length > 20);
  assert.deepEqual(await stale(files), [], "run node www/clients/generate.mjs");
  const changed = Object.keys(files).find((name) => name.endsWith("types.ts"));
  assert.deepEqual(await stale({ ...files, [changed]: files[changed] + " " }), [changed]);
});

test("every type that PHP's comments name is there and imported", async () => {
  const files = Object.entries(await generated()).filter(([name]) => name.startsWith("php/src/"));
  const types = files.find(([name]) => name.endsWith("/Types.php"))[1];
  const known = new Set([...types.matchAll(/@phpstan-type (\w+)/g)].map(([, name]) => name));
  assert.ok(known.size > 80, `${known.size}`);
  const named = (text) => [...text.replace(/'[^']*'/g, "").matchAll(/(?<![\\\w$?])([A-Z]\w+)/g)].map(([, name]) => name).filter((name) => name !== "Upload");
  for (const [, , shape] of types.matchAll(/@phpstan-type (\w+) (.*)/g)) assert.deepEqual(named(shape).filter((name) => !known.has(name)), [], shape);
  for (const [file, text] of files.filter(([name]) => name.includes("/Groups/"))) {
    const imported = new Set([...text.matchAll(/@phpstan-import-type (\w+) from Types/g)].map(([, name]) => name));
    assert.deepEqual([...imported].filter((name) => !known.has(name)), [], file);
    const used = [...text.matchAll(/@(?:return (.*)|param (.*?) \$)/g)].flatMap(([, result, given]) => named(result ?? given));
    assert.deepEqual(used.filter((name) => !imported.has(name)), [], file);
  }
});

describe("the npm package", () => {
  test("publint and are-the-types-wrong have nothing to say", async () => {
    const tarball = path.join(work, `shingle-client-${JSON.parse(await readFile(path.join(installed, "package.json"), "utf8")).version}.tgz`);
    await run(process.execPath, [tool("publint/src/cli.js"), "run", tarball, "--strict"], { cwd: work });
    const { stdout } = await run(process.execPath, [tool("@arethetypeswrong/cli/dist/index.js"), tarball, "--format", "json"], { cwd: work });
    const { analysis, problems } = JSON.parse(stdout);
    assert.equal(analysis.types.kind, "included");
    assert.deepEqual(problems ?? analysis.problems, {});
  });

  test("a strict project takes it as a module and as CommonJS, and no wrong use", async () => {
    const project = path.join(work, "types");
    await cp(at("typescript/tests/types"), project, { recursive: true });
    await mkdir(path.join(project, "node_modules"));
    await symlink(installed, path.join(project, "node_modules/shingle-client"));
    const wrong = await run(process.execPath, [tool("typescript/bin/tsc"), "-p", project]).then(() => "", (error) => error.stdout || error.message);
    assert.equal(wrong, "");
    const { stdout } = await run(process.execPath, ["-e", `
      const { Shingle, NotFoundError } = require("shingle-client");
      import("shingle-client").then((esm) => console.log(typeof Shingle, typeof NotFoundError, Object.keys(esm).length > 10));`], { cwd: project });
    assert.equal(stdout.trim(), "function function true");
  });
});

test("pyright takes the Python package and its tests in strict mode", async (t) => {
  if (httpx.missing) return lacks(t, httpx.missing);
  // Pyright reads nothing outside of its project's folder.
  const project = path.join(work, "pyright");
  await cp(at("python"), project, { recursive: true });
  const settings = { include: ["src", "tests"], extraPaths: ["src", httpx.folder], typeCheckingMode: "strict", reportUnnecessaryTypeIgnoreComment: true, pythonVersion: "3.9" };
  await writeFile(path.join(project, "pyrightconfig.json"), JSON.stringify(settings));
  const { stdout } = await run(process.execPath, [tool("pyright/index.js"), "-p", project, "--outputjson", "--warnings"]).catch((error) => error);
  const { generalDiagnostics, summary } = JSON.parse(stdout);
  assert.deepEqual(generalDiagnostics.map(({ file, message, range }) => `${path.basename(file)}:${range.start.line + 1} ${message}`), []);
  assert.ok(summary.filesAnalyzed >= 10, `${summary.filesAnalyzed}`);
});

for (const { name, missing, script } of kinds) {
  describe(`the client for ${name}`, () => {
    test("calls every operation of the description on the live server", async (t) => {
      if (missing) return lacks(t, missing);
      const { shingle, lead, operations } = await startDescribed(t);
      const description = await (await fetch(`${shingle.url}/openapi.json`)).json();
      const env = { SHINGLE_URL: shingle.url, SHINGLE_KEY: shingle.key, SHINGLE_LEAD: lead.id, SHINGLE_LOGO: path.join(root, "www/demo/logo.png"), SHINGLE_ERASE: "1" };
      const sent = JSON.parse(await script("every-operation", [], env));
      const missed = Object.entries(description.paths).flatMap(([where, methods]) => {
        const pattern = new RegExp(`^${where.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
        const called = (method) => sent.some((one) => one.startsWith(`${method.toUpperCase()} `) && pattern.test(one.split(" ")[1]));
        return Object.keys(methods).filter((method) => !called(method)).map((method) => `${method} ${where}`);
      });
      assert.deepEqual(missed, []);
      t.diagnostic(`${operations.length} operations, ${sent.length} requests`);
    });

    test("stays calm where the server is not", async (t) => {
      if (missing) return lacks(t, missing);
      const api = await faultyApi();
      t.after(() => api.stop());
      const told = JSON.parse(await script("scenarios", [api.url]));
      const seen = api.seen();
      const times = Object.fromEntries(Object.keys(told).map((scenario) => [scenario, seen[scenario]?.length ?? 0]));
      const page = { answer: { data: [], nextCursor: null, younger: "than the client" } };
      const said = (error, status, messages, more = {}) => ({ error, status, messages, hasBody: true, requestId: "r-1", ...more });
      for (const scenario of ["busy", "busy-date", "fault", "broken"]) assert.deepEqual([told[scenario], times[scenario]], [page, 2], scenario);
      assert.deepEqual([told["busy-post"], times["busy-post"]], [{ answer: { leads: [] } }, 2]);
      assert.deepEqual(told["busy-long"], said("RateLimit", 429, ["Too many requests. Please try again in 3600 seconds."], { retryAfter: 3600 }));
      assert.deepEqual([told["fault-post"], told["fault-patch"]], [said("Server", 500, ["Fault"]), said("Server", 502, ["Fault"])]);
      // What may have had its effect is not sent again without a key that says so.
      for (const scenario of ["busy-long", "fault-post", "fault-patch", "broken-post", "silent", "html", "not-json", "redirect", "rules"]) assert.equal(times[scenario], 1, scenario);
      assert.deepEqual([times["fault-forever"], told["fault-forever"].status], [2, 500]);
      const keys = seen["fault-post-keyed"].map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 2);
      assert.ok(keys[0].length >= 32 && keys[0] === keys[1], String(keys));
      assert.equal(seen["own-key"][0].headers["idempotency-key"], "mine");
      assert.equal(seen["busy-post"][0].headers["idempotency-key"], undefined);
      assert.deepEqual([told["broken-post"].error, told.silent.error, told["not-json"].error], ["ConnectionFailed", "TimedOut", "ConnectionFailed"]);
      assert.deepEqual(told.html, { error: "Server", status: 502, messages: ["<h1>Bad Gateway</h1>"], hasBody: false, requestId: null });
      assert.equal(told.redirect.status, 308);
      assert.match(told.redirect.messages[0], /redirects to https:\/\/elsewhere\.example/);
      assert.deepEqual(told.rules, said("BadRequest", 400, ["zip must be a 5-digit code", "city should not be empty"]));
      assert.deepEqual(told.pages, { answer: ["a", "b", "c"] });
      assert.deepEqual(seen.pages.map((one) => one.path), ["/api/v1/leads?status=new&limit=2", "/api/v1/leads?status=new&limit=2&cursor=1.f"]);
      assert.deepEqual(told.words.answer.toSorted(), ['14 Ñandú "Ct" & 5%+', "650.5", "match,range"]);
      assert.deepEqual(JSON.parse(seen["empty-object"][0].body), { prices: {}, priceIncludes: [] });
      // Neither of them may become a request for something else.
      assert.deepEqual([told["empty-id"].error, told["dot-id"].error, times["empty-id"], times["dot-id"]], ["Shingle", "Shingle", 0, 0]);
      assert.equal(seen["slash-id"][0].path, "/api/v1/leads/a%2Fb%3Fc");
      for (const { headers } of Object.values(seen).flat()) {
        assert.equal(headers.token, "sandbox_key");
        assert.match(headers["user-agent"], /^shingle-(typescript|python|php)\/\d/);
      }
    });

    test("says how long to wait when the live server has had too many requests", async (t) => {
      if (missing) return lacks(t, missing);
      const shingle = await Shingle.start({ limits: { requests_per_key: 3 } });
      t.after(() => shingle.stop());
      const told = JSON.parse(await script("too-many", [shingle.url, shingle.key]));
      assert.equal(told.error, "RateLimit");
      assert.ok(told.retryAfter >= 1 && told.retryAfter <= 3_600, JSON.stringify(told));
      assert.match(told.message, /^429: Too many requests/);
    });
  });
}

describe("webhooks", () => {
  const verifiers = kinds.filter(({ name }) => !/asyncio|streams/.test(name));
  const verdicts = async (t, requests) => {
    const file = path.join(work, `requests-${verdicts.n++}.json`);
    await writeFile(file, JSON.stringify(requests));
    const all = {};
    for (const { name, missing, script } of verifiers) {
      if (missing) lacks(t, missing);
      else all[name] = JSON.parse(await script("vectors", [file]));
    }
    return all;
  };
  verdicts.n = 0;

  test("are verified alike by all three", async (t) => {
    const original = {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body: '{"test": 2432232314}', now: 1_614_265_330,
      headers: { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
    };
    const vectors = JSON.parse(await readFile(at("vectors.json"), "utf8"));
    const requests = vectors.map(({ name, valid, signature, headers, ...rest }) => ({
      ...original, ...rest, headers: { ...original.headers, ...(signature !== undefined && { "webhook-signature": signature }), ...headers },
    }));
    const wanted = vectors.map(({ name, valid }) => `${name}: ${valid ? "accepted" : "refused"}`);
    for (const [client, said] of Object.entries(await verdicts(t, requests))) {
      assert.deepEqual(said.map((verdict, n) => `${vectors[n].name}: ${verdict}`), wanted, client);
    }
  });

  test("of the live server are verified, also by the old secret for a day after it was renewed", async (t) => {
    const shingle = await Shingle.start({ env: { SHINGLE_EGRESS_ALLOW: "127.0.0.0/8", SHINGLE_EGRESS_HTTP: "true" } });
    t.after(() => shingle.stop());
    const receiver = await webhookReceiver();
    t.after(() => receiver.stop());
    const hook = await shingle.api("POST", "/api/v1/webhooks", { name: "CRM", url: receiver.url, events: ["widget.created"] });
    await shingle.widget({ companyName: "Olmo y Peña 🏠" });
    const first = await receiver.next(({ event }) => event.type === "widget.created");
    const { secret: renewed } = await shingle.api("POST", `/api/v1/webhooks/${hook.id}/rotate-secret`);
    await shingle.api("POST", `/api/v1/webhooks/${hook.id}/test`);
    const second = await receiver.next(({ event }) => event.type === "ping");
    const request = ({ body, headers }, secret) => ({ body, headers, secret });
    const changed = { ...first, body: first.body.replace("Olmo", "Elmo") };
    assert.notEqual(changed.body, first.body);
    const requests = [
      request(first, hook.secret), request(second, renewed), request(second, hook.secret), request(first, [renewed, hook.secret]),
      request(first, renewed), request(changed, hook.secret),
    ];
    const wanted = ["accepted", "accepted", "accepted", "accepted", "refused", "refused"];
    for (const [client, said] of Object.entries(await verdicts(t, requests))) assert.deepEqual(said, wanted, client);
  });
});
