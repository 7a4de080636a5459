// Policies that forbid this or that: the flow completes in the dialog, in the frame that stands in, or on our page.

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
const ours = new URL(shingle.url).origin;
const [, src] = widget.widgetScript.match(/src="([^"]+)"/);

const tag = (more = "") => `<script async ${more} src="${src}"></script>`;
const show = (html, headers = {}) => (pages["/"] = { html, headers });
const sandboxed = (allows) => pageOf({ body: `<iframe sandbox="${allows}" src="/inner" width="1000" height="800"></iframe>` });
const csp = (policy) => ({ "content-security-policy": policy });

/** Where the flow is after a click on the launcher: in the dialog, in the frame that stands in, or on our own page. */
const places = {
  dialog: async (page) => new Flow(page),
  frame: async (page) => standInFlow(page),
  hosted: async (page) => {
    await page.waitForURL((url) => url.origin === ours);
    return new Flow(page);
  },
};

const policies = [
  { name: "there is no policy", place: "dialog" },
  {
    name: "the policy names its own origin and ours",
    policy: () => `default-src 'self'; script-src 'self' ${ours} 'wasm-unsafe-eval'; connect-src 'self' ${ours}; ` +
      `img-src 'self' ${ours}; style-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'`,
    place: "dialog",
  },
  {
    name: "the policy is a nonce with strict-dynamic",
    policy: () => "script-src 'nonce-r4nd0m' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; object-src 'none'; base-uri 'none'",
    html: () => tag('nonce="r4nd0m"'),
    place: "dialog",
  },
  {
    name: "the policy wants Trusted Types and allows no policy of ours",
    policy: () => "require-trusted-types-for 'script'; trusted-types 'none'",
    place: "dialog",
  },
  { name: "the policy allows no WebAssembly", policy: () => `script-src ${ours}; style-src 'self'`, place: "frame" },
  { name: "the policy allows no connection", policy: () => "connect-src 'none'", place: "frame" },
  {
    name: "the policy allows neither WebAssembly nor frames",
    policy: () => `script-src ${ours}; style-src 'self'; frame-src 'none'`,
    place: "hosted",
  },
  {
    name: "the policy allows nothing but the script",
    policy: () => `default-src 'none'; script-src ${ours}; form-action 'none'; base-uri 'none'`,
    place: "hosted",
  },
];

describe("policies", () => {
  for (const { name, policy, html, place } of policies) {
    test(`the flow completes in the ${place} where ${name}`, async () => {
      show(pageOf({ head: (html ?? tag)() }), policy ? csp(policy()) : {});
      const visitor = await newVisitor(browser, "desktop");
      const { page } = visitor;
      await page.goto(site.url);
      await new Flow(page).launcher.click();
      await completeFlow(shingle, await places[place](page));
      await visitor.leave();
    });
  }

  const sandboxes = [
    { allows: "allow-scripts allow-forms allow-same-origin", place: "frame" },
    { allows: "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox", place: "tab" },
  ];
  for (const { allows, place } of sandboxes) {
    test(`the flow completes in the ${place} where the widget's own frame is in a sandbox that ${allows}`, async () => {
      show(sandboxed(allows));
      pages["/inner"] = { html: pageOf({ head: tag() }) };
      const visitor = await newVisitor(browser, "desktop");
      const { page } = visitor;
      await page.goto(site.url);
      const inner = new Flow(page.frameLocator("iframe"));
      const tab = place === "tab" && page.context().waitForEvent("page");
      await inner.launcher.click();
      await completeFlow(shingle, tab ? new Flow(await tab) : inner);
      await visitor.leave();
    });
  }

  test("a sandbox that allows scripts and nothing else leaves the telephone", async () => {
    // Such a frame cannot say whose page it is, and a widget answers nobody's pages.
    show(sandboxed("allow-scripts"));
    pages["/inner"] = { html: pageOf({ head: tag() }) };
    const visitor = await newVisitor(browser, "desktop");
    const { page } = visitor;
    await page.goto(site.url);
    const inner = page.frameLocator("iframe");
    await new Flow(inner).launcher.click();
    await inner.getByRole("link", { name: /\(207\) 555-0143/ }).first().waitFor();
    await visitor.leave();
  });
});
