// A language that nobody speaks, in the place of Spanish: English with accents, a third longer (`shingle serve --pseudo`, in debug
// builds). What is read without an accent has no translation, and what leaves the narrowest phone has no room for one.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { newVisitor, picture } from "./harness/browser.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { minimalSite } from "./harness/site.js";
import { animationsDone } from "./harness/walkthrough.js";
import { operatorPages } from "./fixtures/operator-pages.js";

const { shingle, browser, closing } = await setUp({ flags: ["--pseudo"] });
const widget = await shingle.widget();
const small = { width: 320, height: 640 };

/** What services are called, by their files. */
const folder = path.join(root, "assets/connectors");
const services = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8").match(/^title = "(.+)"/m)[1]);

/** The same in every language. */
const names = [
  // The company, people, places.
  /Quillback|Ropewalk|Whitfield|Okafor|Ferreira|\bDana\b|Alder|, ME\b|Portland|Harrow Falls/,
  // Services, and the two letters that stand for one.
  new RegExp(`^(${services.join("|")}|\\p{L}{2})$`, "u"),
  // Addresses of mail and pages, files, names of settings and events.
  /^\S*[@/_.]\S*$/,
  // Ours, languages, protocols, keys.
  /^(Shingle|English|Español|https|CSV|UTC|Enter|Esc)$/,
  // References, recovery codes, sizes.
  /^[A-Z0-9]{3}-[A-Z0-9]{3}$|^[a-z0-9]{5}-[a-z0-9]{5}$|^[\d.,]+ (bytes|[kMGT]B)$/,
  // Shapes of roofs, whose Spanish is in the code (`words/building_names.rs`).
  /^A cuatro aguas/,
];

/** What can be read or heard and is not translated, and what leaves the screen. `at` names the page. */
async function wrong(page, at) {
  const [texts, wider] = await page.evaluate(() => {
    const host = document.querySelector("shingle-launcher, shingle-estimate");
    const root = host?.shadowRoot ?? document.body;
    const found = new Set();
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const el = node.nodeType == Node.TEXT_NODE ? node.parentElement : node;
      // Code, and what says that it is English.
      if (el.closest("script, style, template, noscript, code, pre, [lang=en], [translate=no]")) continue;
      if (!el.checkVisibility() && !el.closest("option")) continue;
      const said = node == el ? ["aria-label", "placeholder", "title", "alt"].map((name) => el.getAttribute(name) ?? "") : [node.data];
      for (const text of said) if (/\p{L}{2}/u.test(text)) found.add(text.replace(/^[\s·]+|[\s·]+$/g, ""));
    }
    return [[...found], document.documentElement.scrollWidth - document.documentElement.clientWidth];
  });
  const accented = /[áƀçđéƒğĥíĵķľḿñóṕʠřšţúṽŵẋýž]/i;
  const plain = texts.filter((text) => !accented.test(text) && !names.some((name) => name.test(text)));
  const lines = plain.map((text) => `${at}: “${text}” is not translated`);
  if (texts.length < 4) lines.push(`${at}: only ${texts.length} texts were found`);
  if (wider > 0) lines.push(`${at}: ${wider} pixels too wide`);
  return lines;
}

describe("English with accents, a third longer", { concurrency: false }, () => {
  it("is all that the portal's pages say, and fits the narrowest phone", async () => {
    const context = await browser.newContext({ viewport: small, locale: "es-MX" });
    const page = await context.newPage();
    const found = [];
    const look = async (name, at) => {
      if (at) await page.goto(shingle.url + at);
      await picture(page, `portal-pseudo-${name}-320`, { fullPage: true });
      found.push(...(await wrong(page, name)));
    };
    await look("sign-in", "/portal/sign-in");
    await look("recovery", "/portal/sign-in/recovery");
    await look("ended", "/portal/invite?token=x");
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    await look("setup");
    for (const [name, text] of Object.entries({ name: "María Ferreira", email: "maria@quillback.example", company: "Quillback Roofing" }))
      await page.locator(`input[name=${name}]`).fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /María Ferreira/ }).waitFor();
    await look("welcome");
    for (const [name, at] of Object.entries(operatorPages))
      await look(name, at);
    // What is wrong with settings is said from data: another catalog than the pages'.
    await page.goto(`${shingle.url}/portal/connections/new?of=slack`);
    await page.locator("input[name='set.webhook_url']").fill("http://oak.example.com/");
    await page.keyboard.press("Enter");
    await page.locator("[aria-invalid=true]").first().waitFor();
    await look("settings that do not fit");
    assert.deepEqual(found, []);
    await context.close();
  });

  it("is all that a lead and its list say, for an owner", async () => {
    const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
    const context = await browser.newContext({ viewport: small, locale: "es-MX" });
    const page = await context.newPage();
    const { pathname, search } = new URL(link);
    await page.goto(shingle.url + pathname + search);
    const found = await wrong(page, "invite");
    await page.locator("input[name=name]").fill("Tomás Okafor");
    await page.locator("input[name=email]").fill("tomas@quillback.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Tomás Okafor/ }).waitFor();
    await sendLead(shingle, widget, { firstName: "Dana", email: "dana@example.com", phone: "2075550143" });
    const lead = (await shingle.api("GET", "/api/v1/leads")).data[0].id;
    for (const [name, at] of Object.entries({
      leads: "/portal/leads?data=sandbox",
      filters: "/portal/leads/filters?data=sandbox",
      "no-match": "/portal/leads?data=sandbox&status=won",
      lead: `/portal/leads/${lead}?data=sandbox`,
    })) {
      await page.goto(shingle.url + at);
      await picture(page, `portal-pseudo-${name}-320`, { fullPage: true });
      found.push(...(await wrong(page, name)));
    }
    assert.deepEqual(found, []);
    await context.close();
  });

  it("is all that the flow says, in a dialog and on the hosted page", async () => {
    const site = closing(await minimalSite(widget.widgetScript, '<script>document.documentElement.lang = "es"</script>'));
    const found = [];
    for (const [where, url] of Object.entries({ dialog: site.url, hosted: `${shingle.url}/w/${widget.referenceId}` })) {
      const visitor = await newVisitor(browser, { viewport: small, locale: "es-MX" });
      const { page } = visitor;
      const look = async (screen) => {
        await page.locator(`[data-screen="${screen}"] .sh-inner`).waitFor();
        await animationsDone(page);
        await picture(page, `pseudo-${where}-${screen}-320`);
        found.push(...(await wrong(page, `${where}, ${screen}`)));
      };
      const main = page.locator(".sh-actions .primary");
      await page.goto(url);
      if (where == "dialog") await page.locator(".sl").click();
      await look("address");
      await page.locator("#sh-address").pressSequentially("14 Alder Co");
      await page.locator("#sh-options > li").first().click();
      const roof = page.locator('[data-screen="roof"] .sh-inner');
      await main.or(roof).first().waitFor();
      if (!(await roof.isVisible())) await main.click();
      await look("roof");
      await main.click();
      await look("details");
      // Nothing is filled in: each field says what it wants.
      await main.click();
      await page.locator("#sh-first[aria-invalid=true]").waitFor();
      await look("details");
      for (const [name, text] of Object.entries({ first: "Dana", last: "Whitfield", email: "dana@example.com", phone: "2075550163" }))
        await page.locator(`#sh-${name}`).fill(text);
      await page.locator(".sh-check input").check();
      await main.click();
      await look("estimate");
      await visitor.leave();
    }
    assert.deepEqual(found, []);
  });
});
