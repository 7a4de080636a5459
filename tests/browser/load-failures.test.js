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

describe("what brings parts of the server to life is a file of its own", () => {
  /** The addresses of scripts that the page asks for. The first is the runtime's; the others get what `act` does. */
  const scripts = (page, act) => {
    const asked = new Set();
    page.route((url) => script.test(url.pathname), (route, request) => {
      const [first] = asked.add(request.url());
      return request.url() == first ? route.continue() : act(route, asked.size - 1);
    });
    return asked;
  };
  const notMine = async (page, flow) => {
    await flow.pick("14 Alder", /14 Alder Court/);
    await flow.yes.waitFor();
    await page.getByRole("button", { name: "Not my roof" }).click();
    await page.getByRole("heading", { name: "Which roof is yours?" }).waitFor();
  };
  const shown = (page) => page.locator(".homes").evaluate((homes) => getComputedStyle(homes).visibility);

  test("it comes with the first of them and not before", async () => {
    let asked;
    const { page, flow, leave } = await arrive({ prepare: (page) => (asked = scripts(page, (route) => route.continue())) });
    assert.equal(asked.size, 0);
    await flow.open();
    await flow.pick("14 Alder", /14 Alder Court/);
    await flow.yes.waitFor();
    assert.equal(asked.size, 1);
    await page.getByRole("button", { name: "Not my roof" }).click();
    await page.locator(".homes .outline").first().waitFor();
    assert.equal(asked.size, 2);
    await leave();
  });

  test("where it does not come, the list of homes is enough, and it is asked for again", async () => {
    let asked;
    const refused = (route, nth) => (nth == 1 ? route.abort() : route.continue());
    const { page, flow, leave } = await arrive({ prepare: (page) => (asked = scripts(page, refused)) });
    await flow.open();
    await notMine(page, flow);
    assert.equal(await shown(page), "hidden");
    await page.getByRole("radio", { name: /16 Alder Court/ }).check();
    await page.getByRole("button", { name: "Measure 16 Alder Court" }).click();
    await flow.heading("Is this your roof?").waitFor();
    await page.getByRole("button", { name: "Not my roof" }).click();
    await page.locator(".homes .outline").first().waitFor();
    assert.equal(await shown(page), "visible");
    assert.equal(asked.size, 3, [...asked].join());
    await leave();
  });

  test("what was tapped before it came counts", async () => {
    let arrived;
    const held = new Promise((resolve) => (arrived = resolve));
    const late = async (route) => {
      await held;
      await route.continue();
    };
    const { page, flow, leave } = await arrive({ prepare: (page) => scripts(page, late) });
    await flow.open();
    await flow.pick("14 Alder", /14 Alder Court/);
    await flow.confirmRoof();
    await flow.fillDetails({ first: "Dana", last: "Whitfield", email: "dana.early@example.com", phone: "2075550142", consent: true });
    await flow.showEstimate.click();
    await page.getByRole("button", { name: "Book an inspection" }).click();
    const boxes = page.locator("[name=wish]");
    for (const at of [0, 2, 3, 5]) await boxes.nth(at).check();
    await page.locator("#sh-photos").setInputFiles({ name: "roof.png", mimeType: "image/png", buffer: await page.screenshot() });
    arrived();
    await page.locator(".photos li", { hasText: "roof.png: arrived" }).waitFor();
    const marks = await boxes.evaluateAll((all) => all.filter((one) => one.checked).map((one) => one.nextElementSibling.textContent));
    assert.deepEqual(marks, ["1st", "2nd", "3rd"]);
    await leave();
  });
});
