// The npm package: what is in it, what its types take, and what it does in a page that a bundler made.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { newVisitor } from "./harness/browser.js";
import { bundledSite, packageFolder } from "./harness/bundled-site.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";

const run = promisify(execFile);
const here = path.join(root, "tests/browser");
const folder = await packageFolder();
const { shingle, browser } = await setUp();
const options = { baseUrl: shingle.url, id: (await shingle.widget()).referenceId };

test("the package holds its scripts, their types and nothing else", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder });
  const packed = JSON.parse(stdout);
  const { name, version, files } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  assert.equal(name, "shingle-embed");
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(files.map((file) => file.path).sort(), [
    "LICENSE", "README.md", "embed.d.ts", "embed.js", "package.json", "react.d.ts", "react.js", "vue.d.ts", "vue.js",
  ]);
});

test("publint and are-the-types-wrong have nothing to say about its manifest", async () => {
  const whole = await mkdtemp(path.join(tmpdir(), "shingle-lint-"));
  try {
    await cp(folder, whole, { recursive: true });
    // wasm-pack makes these four for `cargo xtask package`. Here they only have to be there.
    await mkdir(path.join(whole, "runtime"));
    for (const name of ["runtime.js", "runtime.d.ts", "runtime_bg.wasm", "runtime_bg.wasm.d.ts"]) {
      await writeFile(path.join(whole, "runtime", name), name.endsWith(".ts") ? "export {};\n" : "export default 1;\n");
    }
    await run("npm", ["pack", "--ignore-scripts"], { cwd: whole });
    const tarball = (await readdir(whole)).find((name) => name.endsWith(".tgz"));
    const tool = (name, ...words) => run(process.execPath, [path.join(here, "node_modules", name), ...words], { cwd: whole });
    await tool("publint/src/cli.js", "run", tarball, "--strict");
    // Modules only, and a wasm file has no types.
    const attw = ["--profile", "esm-only", "--exclude-entrypoints", "runtime.wasm", "--format", "json"];
    const { stdout } = await tool("@arethetypeswrong/cli/dist/index.js", tarball, ...attw);
    assert.deepEqual(Object.keys(JSON.parse(stdout).analysis.entrypoints), [".", "./react", "./vue", "./runtime", "./package.json"]);
  } finally {
    await rm(whole, { recursive: true, force: true });
  }
});

test("a strict TypeScript project takes the examples, and no use of theirs that is wrong", async () => {
  const project = await mkdtemp(path.join(tmpdir(), "shingle-types-"));
  try {
    await cp(path.join(here, "package"), project, { recursive: true });
    await cp(folder, path.join(project, "node_modules/shingle-embed"), { recursive: true });
    for (const name of ["@types", "csstype"]) {
      await symlink(path.join(here, "node_modules", name), path.join(project, "node_modules", name));
    }
    const tsc = path.join(here, "node_modules/typescript/bin/tsc");
    const wrong = await run(process.execPath, [tsc, "-p", project]).then(() => "", (error) => error.stdout || error.message);
    assert.equal(wrong, "");
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});

test("on a server the widget takes every call and does nothing", async () => {
  const { borrow, load } = await import(pathToFileURL(path.join(folder, "embed.js")));
  const shingle = await load({ baseUrl: "https://quotes.example.com", id: "w" });
  assert.equal(shingle.id, "w");
  assert.equal(shingle.on("submit", () => assert.fail("nobody can have submitted"))(), undefined);
  for (const verb of ["open", "close", "toggle", "prefill", "destroy"]) assert.equal(shingle[verb]({}), undefined);
  const loan = borrow({ baseUrl: "https://quotes.example.com", id: "w" });
  loan.release();
  assert.equal((await loan.ready).id, "w");
});

describe("in a page", () => {
  let visitor, flow;
  const sites = [];
  const script = () => `**/w/${options.id}.js`;

  /** A visitor on a bundled site. */
  const visit = async (wish) => {
    const site = await bundledSite(folder, wish);
    sites.push(site);
    visitor = await newVisitor(browser, "desktop");
    flow = new Flow(visitor.page);
    await visitor.page.goto(site.url);
    return visitor.page;
  };
  const left = async () => {
    await visitor.leave();
    await sites.pop().stop();
  };
  /** Runs in the page, with the package's exports and the options of `load`. */
  const inPage = (f) =>
    visitor.page.evaluate(`import("/embed.js").then((shingle) => (${f})(shingle, ${JSON.stringify(options)}))`);

  test("it loads once, opens, tells what happens, goes away and comes back", async () => {
    const page = await visit();
    let asked = 0;
    page.on("request", (request) => (asked += request.url().endsWith(`/w/${options.id}.js`)));
    await inPage(async ({ load }, options) => {
      const [one, two] = await Promise.all([load(options), load({ ...options, baseUrl: options.baseUrl + "/" })]);
      window.same = one === two;
      window.widget = one;
      window.told = [];
      for (const name of ["open", "close"]) one.on(name, (detail) => told.push([name, typeof detail]));
      window.off = one.on("open", () => told.push(["never", ""]));
      off();
    });
    assert.equal(await page.evaluate("same"), true);
    assert.equal(asked, 1);
    assert.equal(await page.locator("script[src]").count(), 0, "the tag is taken away again");
    await flow.launcher.waitFor();
    await page.evaluate("widget.open()");
    await flow.address.waitFor();
    await page.evaluate("widget.toggle()");
    await flow.address.waitFor({ state: "detached" });
    await page.waitForFunction(`told.some(([name]) => name === "close")`);
    assert.deepEqual(await page.evaluate("told"), [["open", "object"], ["close", "object"]]);

    await page.evaluate("widget.destroy()");
    assert.equal(await flow.launcher.count(), 0);
    await inPage(async ({ load }, options) => (await load(options)).open());
    await flow.address.waitFor();
    assert.equal(await page.evaluate("told.length"), 2, "who was told before is not told any more");
    assert.deepEqual(visitor.problems, []);
    await left();
  });

  test("a name that is not an event is refused with the list of events", async () => {
    await visit();
    const refused = await inPage(async ({ load }, options) => {
      const widget = await load(options);
      try {
        widget.on("submitted", () => {});
      } catch (error) {
        return error.message;
      }
    });
    assert.match(refused, /no event "submitted".*submit, error/);
    await left();
  });

  test("a first load that fails is told, and the next one tries anew", async () => {
    const page = await visit();
    await page.route(script(), (route) => route.abort(), { times: 1 });
    const failure = await inPage(({ load }, options) => load(options).then(() => "loaded", (error) => error.message));
    assert.match(failure, /could not be loaded/);
    assert.equal(await page.locator("script[src]").count(), 0);
    await inPage(({ load }, options) => load(options).then((widget) => widget.open()));
    await flow.address.waitFor();
    await left();
  });

  test("on a page whose host is not allowed it says so", async () => {
    const elsewhere = (await shingle.widget({ domains: "example.com" })).referenceId;
    await visit();
    const failure = await visitor.page.evaluate(
      ([baseUrl, id]) => import("/embed.js").then(({ load }) => load({ baseUrl, id })).catch((error) => error.message),
      [shingle.url, elsewhere],
    );
    assert.match(failure, /127\.0\.0\.1 among its domains/);
    await left();
  });

  test("a tag that the page brings itself is not doubled", async () => {
    const tag = `<script async src="${shingle.url}/w/${options.id}.js"></script>`;
    const early = `<script type="module">
      import { load } from "shingle-embed";
      load(${JSON.stringify(options)}).then((widget) => (window.widget = widget));</script>`;
    const page = await visit({ body: tag + early });
    await page.waitForFunction("window.widget");
    assert.equal(await page.locator(`script[src$="${options.id}.js"]`).count(), 1);
    await page.evaluate("widget.open()");
    await flow.address.waitFor();
    assert.equal(await flow.launcher.count(), 1);
    await left();
  });

  test("Trusted Types and a policy without inline scripts let it in", async () => {
    const policy = `default-src 'none'; script-src 'self' ${shingle.url} 'wasm-unsafe-eval'; connect-src ${shingle.url};
      img-src ${shingle.url}; style-src 'none'; require-trusted-types-for 'script'; trusted-types shingle-embed`;
    const page = await visit({ headers: { "content-security-policy": policy.replace(/\s+/g, " ") } });
    // The import map of the test's own page is an inline script.
    visitor.problems.length = 0;
    await inPage(({ load }, options) => load(options).then((widget) => widget.open()));
    await flow.address.waitFor();
    await page.keyboard.type("14");
    assert.equal(await flow.address.inputValue(), "14");
    assert.deepEqual(visitor.problems, []);
    await left();
  });

  test("the last component that gives it back takes it down, and one put up again at once keeps it", async () => {
    await visit();
    const [kept, gone] = await inPage(async ({ borrow }, options) => {
      const there = () => Boolean(window.shingle.all[options.id]);
      const first = borrow(options);
      first.release();
      first.release();
      const second = borrow(options);
      const third = borrow(options);
      await third.ready;
      third.release();
      await second.ready;
      const kept = there();
      second.release();
      await second.ready;
      return [kept, there()];
    });
    assert.deepEqual([kept, gone], [true, false]);
    await left();
  });

  test("in React's strict mode there is one launcher, and none once the component is gone", async () => {
    const page = await visit();
    await page.evaluate(async (options) => {
      const { StrictMode, createElement } = await import("react");
      const { createRoot } = await import("react-dom/client");
      const { useShingle } = await import("shingle-embed/react");
      const Quote = () => {
        const { shingle, error } = useShingle(options);
        return createElement("button", { disabled: !shingle, onClick: () => shingle.open() }, error?.message ?? "Quote");
      };
      window.app = createRoot(document.querySelector("main"));
      app.render(createElement(StrictMode, null, createElement(Quote)));
    }, options);
    await page.getByRole("button", { name: "Quote", disabled: false }).click();
    await flow.address.waitFor();
    await page.keyboard.press("Escape");
    await flow.address.waitFor({ state: "detached" });
    assert.equal(await flow.launcher.count(), 1);
    await page.evaluate("app.unmount()");
    await flow.launcher.waitFor({ state: "detached" });
    assert.deepEqual(visitor.problems, []);
    await left();
  });
});
