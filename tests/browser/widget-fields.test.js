// What each field of the widget's record changes for a visitor, at the place where the design has it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { sizes, newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { root } from "./harness/shingle.js";
import { minimalSite } from "./harness/site.js";

/** Colors that need no correction: each is told from the others, and read on this card and this page. */
const other = {
  buttonText: "What will mine cost?",
  buttonTextColor: "#fff3c4",
  buttonBackgroundColor: "#3b1d60",
  primaryColor: "#0b5d1e",
  secondaryColor: "#7a3e00",
  backgroundColor: "#e6eef8",
  cardBackgroundColor: "#fffdf5",
  textColor: "#101820",
  linkColor: "#0b3fa8",
  footerCompanyName: "Alder and Sons, licensed in Maine",
  footerPirvacyPolicyLink: "https://alder.example/privacy",
  footerTermsOfUseLink: "https://alder.example/terms",
  companyName: "Alder and Sons",
  companyPhone: "(303) 555-0188",
  companyEmail: "roofs@alder.example",
  companyAddress: "1 Saddle Street, Boulder, CO 80302",
  companyUrl: "https://alder.example/roofs",
  firstPageTitle: "Is your roof ready for solar?",
  installedPrice: "725",
};

const css = (selector, property) => (page) =>
  page.locator(selector).first().evaluate((el, property) => getComputedStyle(el)[property], property);
const text = (selector) => (page) => page.locator(selector).first().innerText();
const attribute = (selector, name) => (page) => page.locator(selector).first().getAttribute(name, { timeout: 500 }).catch(() => null);
const rgb = (hex) => `rgb(${hex.match(/\w\w/g).map((part) => parseInt(part, 16)).join(", ")})`;

/** Where a visitor sees a field, step by step. What is not a color is seen as it was configured. */
const seen = {
  launcher: {
    buttonText: text(".sl span"),
    buttonTextColor: css(".sl", "color"),
    buttonBackgroundColor: css(".sl", "backgroundColor"),
  },
  address: {
    firstPageTitle: text(".sh-title"),
    primaryColor: css(".sh-title", "color"),
    secondaryColor: css(".plan .l-valley", "stroke"),
    cardBackgroundColor: css("dialog", "backgroundColor"),
    textColor: css("dialog .sh", "color"),
    headerLogoUrl: attribute(".sh-logo", "src"),
    companyName: attribute(".sh-logo", "alt"),
    footerLogoUrl: attribute(".sh-mark", "src"),
    footerCompanyName: text(".sh-foot span span"),
    footerPirvacyPolicyLink: attribute(".sh-foot a[target]:nth-of-type(1)", "href"),
    footerTermsOfUseLink: attribute(".sh-foot a[target]:nth-of-type(2)", "href"),
  },
  estimate: { installedPrice: async (page) => (await text(".range + p, .sh-small")(page)).match(/\$([\d.]+) per square/)?.[1] },
  thanks: {
    companyPhone: async (page) => (await text(".sh-actions .primary")(page)).replace("Call ", ""),
    companyAddress: text(".contact-card span"),
    companyEmail: text(".contact-card a[href^=mailto]"),
    companyUrl: attribute(".contact-card a[target]", "href"),
    linkColor: css(".contact-card a", "color"),
  },
  hosted: { backgroundColor: css("body", "backgroundColor") },
};
/** Fields that say what is there at all: they have tests of their own below. */
const structure = ["elementType", "elementSize", "elementLocation", "bannerText", "bannerBackgroundColor", "removeFooterLogo", "status", "domains"];
/** What the service says of a widget, and nobody configures. */
const answered = ["referenceId", "widgetScript", "widgetQrCode", "hostedQrCode", "widgetLink", "hostedPageLink"];

const { shingle, browser } = await setUp();

const picture = async (name, file) => new File([await readFile(path.join(root, file))], name, { type: "image/png" });

/** One visitor's whole way, and what is seen of each field. */
async function visit(widget) {
  const site = await minimalSite(widget.widgetScript);
  const { page, leave } = await newVisitor(browser, { ...sizes.desktop });
  const flow = new Flow(page);
  const found = {};
  const look = async (step) => {
    for (const [field, read] of Object.entries(seen[step])) found[field] = await read(page);
  };
  await page.goto(site.url);
  await page.locator(".sl").waitFor();
  await look("launcher");
  await page.locator(".sl").click();
  await page.locator(".plan .l-valley").first().waitFor();
  await look("address");
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email: `dana.${widget.referenceId}@example.com` });
  await flow.showEstimate.click();
  await flow.estimateShown();
  await look("estimate");
  await page.getByRole("button", { name: "Book an inspection" }).click();
  await page.getByRole("button", { name: "Skip, no visit for now" }).click();
  await page.locator("[data-screen=thanks] .contact-card").waitFor();
  await look("thanks");
  await page.goto(widget.hostedPageLink);
  await look("hosted");
  await leave();
  await site.stop();
  return found;
}

test("every field of the record is seen somewhere", async () => {
  const fields = Object.keys(await shingle.widget()).filter((field) => !answered.includes(field)).sort();
  const known = [...Object.values(seen).flatMap(Object.keys), ...structure].sort();
  assert.deepEqual(fields, known);
});

test("what is configured is what a visitor sees, where the design has it", async () => {
  // Any picture is a logo.
  const headerLogo = await picture("header.png", "tests/browser/screenshots/desktop-card.png");
  const footerLogo = await picture("footer.png", "www/demo/logo.png");
  const [plain, changed] = [await shingle.widget(), await shingle.widget({ ...other, headerLogo, footerLogo })];
  const [before, now] = [await visit(plain), await visit(changed)];
  for (const [field, value] of Object.entries(now)) {
    const configured = String(changed[field]);
    const expected = /^#\w{6}$/.test(configured) ? rgb(configured) : configured;
    assert.equal(String(value), expected, field);
    assert.notEqual(before[field], value, `${field} differs from what it was`);
  }
  const without = await shingle.change(changed, { removeFooterLogo: "true" });
  const { footerLogoUrl } = await visit(without);
  assert.equal(footerLogoUrl, null, "the foot's logo is gone");
});

describe("a launcher is what, as large and where it is configured", () => {
  const box = (page, selector) => page.locator(selector).first().boundingBox();
  const heights = { small: 44, medium: 48, large: 60 };
  const places = {
    bottom_right: (at, { width, height }) => at.x > width / 2 && at.y + at.height > height - 40,
    bottom_left: (at, { width, height }) => at.x < width / 2 && at.y + at.height > height - 40,
    side_right: (at, { width, height }) => at.x + at.width == width && Math.abs(at.y + at.height / 2 - height / 2) < 2,
    side_left: (at, { height }) => at.x == 0 && Math.abs(at.y + at.height / 2 - height / 2) < 2,
  };
  const open = async (changes) => {
    const site = await minimalSite((await shingle.widget(changes)).widgetScript);
    const { page, leave } = await newVisitor(browser, { ...sizes.desktop });
    await page.goto(site.url);
    return { page, leave: () => leave().then(site.stop) };
  };

  for (const [elementLocation, holds] of Object.entries(places)) {
    test(`button ${elementLocation}`, async () => {
      for (const [elementSize, height] of Object.entries(heights)) {
        const { page, leave } = await open({ elementSize, elementLocation });
        const at = await box(page, ".sl");
        assert.ok(holds(at, sizes.desktop.viewport), `${elementSize}: ${JSON.stringify(at)}`);
        assert.equal(Math.round(elementLocation.startsWith("side") ? at.width : at.height), height, elementSize);
        await leave();
      }
    });
  }

  for (const elementLocation of ["top", "bottom"]) {
    test(`banner ${elementLocation}`, async () => {
      const texts = { elementType: "banner", elementLocation, bannerText: "See it in a minute.", bannerBackgroundColor: "#14365c" };
      let last = 0;
      for (const elementSize of Object.keys(heights)) {
        const { page, leave } = await open({ ...texts, elementSize });
        await page.locator(".sb").waitFor();
        const at = await box(page, ".sb");
        assert.equal(Math.round(elementLocation == "top" ? at.y : at.y + at.height), elementLocation == "top" ? 0 : sizes.desktop.viewport.height);
        assert.ok(at.height > last, `${elementSize} is higher than the one before`);
        last = at.height;
        assert.equal(await text(".sb p")(page), texts.bannerText);
        assert.equal(await css(".sb", "backgroundColor")(page), rgb(texts.bannerBackgroundColor));
        await leave();
      }
    });
  }

  for (const [name, changes] of Object.entries({ status: { status: "inactive" }, domains: { domains: "quillback.example" } })) {
    test(`nothing, by ${name}`, async () => {
      const site = await minimalSite((await shingle.widget(changes)).widgetScript);
      const visitor = await newVisitor(browser, sizes.desktop);
      const told = visitor.page.waitForEvent("console", (message) => message.text().startsWith("Shingle: "));
      await visitor.page.goto(site.url);
      await told;
      assert.equal(await visitor.page.locator("shingle-launcher").count(), 0);
      await visitor.leave();
      await site.stop();
    });
  }
});
