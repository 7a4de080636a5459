// A widget's script pinned by its digest, as the manual tells it: what runs, what does not, and what becomes of it later.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { bundledSite, packageFolder } from "./harness/bundled-site.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();
const widget = await shingle.widget();
const script = `${shingle.url}/w/${widget.referenceId}.js`;
const digest = async () => `sha384-${createHash("sha384").update(await (await fetch(script)).text()).digest("base64")}`;

let page = "";
const site = createServer((request, response) => {
  response.writeHead(request.url === "/" ? 200 : 204, { "content-type": "text/html; charset=utf-8" }).end(request.url === "/" ? page : "");
});
await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
after(() => site.close() && site.closeAllConnections());

/** A visitor on a page with this tag, once it is known whether the tag's script ran. */
async function visit(tag) {
  page = `<!doctype html><html lang="en"><title>A pinned site</title><a href="${shingle.url}/w/${widget.referenceId}">What would mine cost?</a>${tag}</html>`;
  const visitor = await newVisitor(browser, "desktop");
  // A script that another visit left in the cache would be judged in place of the one of now.
  await visitor.page.route(script, (route) => route.continue({ headers: { ...route.request().headers(), "cache-control": "no-cache" } }));
  await visitor.page.goto(`http://127.0.0.1:${site.address().port}/`, { waitUntil: "load" });
  const ran = await visitor.page.evaluate(() => Boolean(window.shingle));
  return { visitor, ran, flow: new Flow(visitor.page), said: visitor.problems.splice(0).join("\n") };
}
const tag = (integrity, cors = ` crossorigin="anonymous"`) => `<script async src="${script}" integrity="${integrity}"${cors}></script>`;

test("a script with the digest of now runs, and its dialog opens", async () => {
  const { visitor, ran, flow, said } = await visit(tag(await digest()));
  assert.deepEqual([ran, said], [true, ""]);
  await flow.launcher.click();
  await flow.address.waitFor();
  await visitor.leave();
});

test("without crossorigin a browser cannot check it, and runs nothing", async () => {
  const { visitor, ran } = await visit(tag(await digest(), ""));
  assert.equal(ran, false);
  await visitor.leave();
});

test("a script of any other text does not run; the link beside it still leads to the estimate", async () => {
  const { visitor, ran, said } = await visit(tag(`sha384-${createHash("sha384").update("other").digest("base64")}`));
  assert.equal(ran, false);
  assert.match(said, /integrity/);
  await visitor.page.getByRole("link", { name: "What would mine cost?" }).click();
  await visitor.page.waitForURL(`${shingle.url}/w/${widget.referenceId}`);
  await visitor.leave();
});

test("the pinned script pins the runtime: one that was changed on the way does not run", async () => {
  page = `<!doctype html><html lang="en"><title>A pinned site</title>${tag(await digest())}</html>`;
  const tried = await newVisitor(browser, "desktop");
  let changed = 0;
  await tried.page.route("**/runtime/*.js", async (route) => {
    const answer = await route.fetch();
    changed += 1;
    await route.fulfill({ response: answer, body: `window.altered = true;\n${await answer.text()}` });
  });
  await tried.page.goto(`http://127.0.0.1:${site.address().port}/`);
  const flow = new Flow(tried.page);
  await flow.launcher.click();
  // Its own way out: the hosted page stands in.
  await tried.page.waitForFunction(() => document.querySelectorAll("iframe").length || location.pathname.startsWith("/w/") || document.querySelector("shingle-launcher")?.shadowRoot?.querySelector("iframe"));
  assert.ok(changed > 0);
  assert.equal(await tried.page.evaluate(() => window.altered), undefined);
  tried.problems.length = 0;
  await tried.leave();
});

test("the npm package pins it too, and says what happened when it no longer fits", async (t) => {
  const bundled = await bundledSite(await packageFolder());
  t.after(() => bundled.stop());
  const visitor = await newVisitor(browser, "desktop");
  await visitor.page.goto(bundled.url);
  const load = (integrity) =>
    visitor.page.evaluate(
      (options) => import("/embed.js").then(({ load }) => load(options)).then(() => "loaded", (error) => error.message),
      { baseUrl: shingle.url, id: widget.referenceId, integrity },
    );
  assert.match(await load(`sha384-${createHash("sha384").update("other").digest("base64")}`), /could not be loaded\. Or it has changed, and `integrity` no longer fits it\./);
  assert.equal(await load(await digest()), "loaded");
  visitor.problems.length = 0;
  await visitor.leave();
});

test("any change of the widget changes the digest, and the old one stops the script", async () => {
  const earlier = await digest();
  await shingle.change(widget, { buttonText: "See my price" });
  assert.notEqual(await digest(), earlier);
  const { visitor, ran, said } = await visit(tag(earlier));
  assert.equal(ran, false);
  assert.match(said, /integrity/);
  await visitor.leave();
});

test("a returning visitor has the earlier script in the cache: with part of the digest in the address it does not matter", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const runs = async (html) => {
    page = `<!doctype html><html lang="en"><title>A pinned site</title>${html}</html>`;
    const tab = await context.newPage();
    await tab.goto(`http://127.0.0.1:${site.address().port}/`, { waitUntil: "load" });
    const ran = await tab.evaluate(() => Boolean(window.shingle));
    await tab.close();
    return ran;
  };
  const versioned = (integrity) => tag(integrity).replace(".js", `.js?v=${encodeURIComponent(integrity.slice(7, 15))}`);
  const earlier = await digest();
  assert.deepEqual([await runs(tag(earlier)), await runs(versioned(earlier))], [true, true]);
  await shingle.change(widget, { buttonText: "Get my roof estimate" });
  const later = await digest();
  assert.notEqual(later, earlier);
  assert.equal(await runs(tag(later)), false, "the cached script is judged");
  assert.equal(await runs(versioned(later)), true);
});
