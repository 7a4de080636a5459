// Files that do not come, come broken or never end, a server that dies, a module that traps: never a dead button.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { pageOf } from "./fixtures/host-pages.js";
import { completeFlow, standInFlow } from "./fixtures/complete-flow.js";

const pages = {};

const { shingle, browser, closing } = await setUp({ limits: { leads_per_visitor: 1_000, roofs_per_visitor: 1_000 } });
const site = closing(await staticSite(pages));
const widget = await shingle.widget();
const [, src] = widget.widgetScript.match(/src="([^"]+)"/);

const cors = { "access-control-allow-origin": "*" };
const script = /\/runtime\/[^/]+\.js$/;
const module = /\/runtime\/[^/]+\.wasm$/;
const configuration = /\/config\/[^/]+\.json$/;
const everything = /\/runtime\/|\/config\//;

const answers = {
  "is not there": (route) => route.fulfill({ status: 404, headers: cors, body: "{}" }),
  "is a server error": (route) => route.fulfill({ status: 503, headers: cors, body: "busy" }),
  "is blocked": (route) => route.abort("blockedbyclient"),
  "is garbage": (route, type) => route.fulfill({ status: 200, headers: cors, contentType: type, body: "\u0000<html>(" }),
  "is an error page with status 200": (route) =>
    route.fulfill({ status: 200, headers: cors, contentType: "text/html", body: "<h1>Sorry</h1>" }),
};
const typeOf = (url) => (script.test(url) ? "text/javascript" : module.test(url) ? "application/wasm" : "application/json");

/** A visitor on the contractor's page, with the widget's launcher in sight. */
async function arrive({ html, prepare } = {}) {
  pages["/"] = { html: html ?? pageOf({ head: widget.widgetScript }) };
  const visitor = await newVisitor(browser, "desktop");
  await prepare?.(visitor.page);
  await visitor.page.goto(site.url);
  const flow = new Flow(visitor.page);
  await flow.launcher.waitFor();
  return { ...visitor, flow };
}

/** What this page asks for is answered by `act`; frames are left alone, as a policy or a plugin would. */
const forThisPage = (files, act) => (page) =>
  page.route(files, (route, request) =>
    request.frame() === page.mainFrame() ? act(route, typeOf(request.url())) : route.fallback());

const telephone = (where) => where.getByRole("link", { name: /\(207\) 555-0143/ }).first();

describe("what the page may not have, the stand-in frame has", () => {
  for (const [name, act] of Object.entries(answers)) {
    for (const [what, files] of Object.entries({ script, module, configuration })) {
      test(`the flow completes in the frame when the runtime's ${what} ${name}`, async () => {
        const { page, flow, leave } = await arrive({ prepare: forThisPage(files, act) });
        await flow.launcher.click();
        await completeFlow(shingle, standInFlow(page));
        await leave();
      });
    }
  }

  for (const [what, files] of Object.entries({ script, module, configuration })) {
    test(`the flow completes in the frame when the runtime's ${what} never ends`, async () => {
      const { page, flow, leave } = await arrive({
        prepare: async (page) => {
          await page.clock.install();
          await forThisPage(files, () => {})(page);
        },
      });
      await flow.launcher.click();
      await page.clock.fastForward("01:00");
      await completeFlow(shingle, standInFlow(page));
      await leave();
    });
  }

  test("the flow completes in the frame when an old copy of the loader asks for files that are gone", async () => {
    const text = await (await fetch(src)).text();
    pages["/old.js"] = { type: "text/javascript", html: text.replace(/(runtime\/)/g, "$1gone-") };
    const { page, flow, leave } = await arrive({ html: pageOf({ head: `<script src="/old.js"></script>` }) });
    await flow.launcher.click();
    await completeFlow(shingle, standInFlow(page));
    await leave();
  });

  const traps = {
    "stands on spoiled memory": () => new Uint8Array(window[Symbol.for("trap")].memory.buffer).fill(0xff),
    "traps under the homeowner's fingers": () => (window[Symbol.for("trap")].armed = true),
  };
  for (const [name, spring] of Object.entries(traps)) {
    test(`the flow completes in the frame when the module ${name}`, async () => {
      const { page, flow, leave } = await arrive({ prepare: (page) => page.addInitScript(trap) });
      await flow.open();
      await flow.type("14");
      await page.evaluate(spring);
      await flow.address.press("A");
      const frame = standInFlow(page);
      await frame.address.waitFor();
      assert.equal(await frame.address.inputValue(), "14", "what was typed is there again");
      await frame.address.fill("");
      await completeFlow(shingle, frame);
      await leave();
    });
  }
});

/** Lets the test reach into the module, by a symbol. Armed, whatever the module calls next ends it, as a panic does. */
function trap() {
  const reach = (window[Symbol.for("trap")] = { armed: false });
  const armed = (f) => (...what) => {
    if (!reach.armed) return f(...what);
    throw new WebAssembly.RuntimeError("unreachable");
  };
  addEventListener("error", () => (reach.armed = false), true);
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const real = WebAssembly[name];
    WebAssembly[name] = async (source, imports) => {
      for (const group of Object.values(imports))
        for (const [key, f] of Object.entries(group)) if (typeof f === "function") group[key] = armed(f);
      const made = await real.call(WebAssembly, source, imports);
      reach.memory = (made.instance ?? made).exports.memory;
      return made;
    };
  }
}

test("a module with the wrong media type runs all the same", async () => {
  const { page, flow, leave } = await arrive({
    prepare: (page) =>
      page.route(module, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "content-type": "text/plain" } });
      }),
  });
  await flow.launcher.click();
  await completeFlow(shingle, new Flow(page));
  await leave();
});

test("where no file of the runtime can be loaded, there is the company's telephone", async () => {
  const { page, flow, leave } = await arrive({ prepare: (page) => page.route(everything, answers["is a server error"]) });
  await flow.launcher.click();
  await telephone(page.frameLocator("iframe")).waitFor();
  await leave();
});

test("where the server is gone, there is the company's telephone, and the flow once it is back", async () => {
  const { page, flow, leave } = await arrive({ prepare: (page) => page.route(everything, (route) => route.abort()) });
  await shingle.kill();
  try {
    await flow.launcher.click();
    await telephone(page).waitFor();
  } finally {
    await shingle.serve();
  }
  await page.unrouteAll();
  await page.keyboard.press("Escape");
  await telephone(page).waitFor({ state: "detached" });
  await flow.open();
  await completeFlow(shingle, flow);
  await leave();
});

test("without JavaScript's leave the launcher is a link to our own page", async () => {
  const { page, flow, leave } = await arrive({ prepare: forThisPage(everything, answers["is blocked"]) });
  assert.equal(await flow.launcher.getAttribute("href"), widget.hostedPageLink);
  const opened = page.context().waitForEvent("page");
  await flow.launcher.click({ modifiers: ["ControlOrMeta"] });
  await completeFlow(shingle, new Flow(await opened));
  await leave();
});
