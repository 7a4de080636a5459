// "Not my roof": the homes near it are offered, in a list and on the drawing, and the one that is chosen is measured.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { moving, newVisitor, picture, sizes } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { layoutProblems } from "./harness/layout.js";
import { setUp } from "./harness/setup.js";
import { contractorSite } from "./harness/site.js";
import { animationsDone } from "./harness/walkthrough.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await contractorSite(widget.widgetScript));
const dark = { primaryColor: "#F0A48F", secondaryColor: "#9CC3D8", backgroundColor: "#101418", cardBackgroundColor: "#181D22", textColor: "#E8EAEC", linkColor: "#8DB8F0" };
const darkSite = closing(await contractorSite((await shingle.widget(dark)).widgetScript));

/** A visitor who says that the roof of 14 Alder Court is another one. */
async function atChoice(size, { hosted = false, at = site } = {}) {
  const visitor = await newVisitor(browser, size);
  const { page } = visitor;
  const flow = new Flow(page);
  const lookUps = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/roof")) lookUps.push(request.postDataJSON().address);
  });
  await page.goto(hosted ? widget.hostedPageLink : at.url);
  if (!hosted) await flow.open();
  await flow.pick("14 Alder", /14 Alder Court/);
  await flow.yes.waitFor();
  await page.getByRole("button", { name: "Not my roof" }).click();
  await page.getByRole("heading", { name: "Which roof is yours?" }).waitFor();
  await animationsDone(page);
  const homes = page.getByRole("radiogroup", { name: "Which roof is yours?" });
  return { visitor, page, flow, lookUps, homes, radio: (name) => homes.getByRole("radio", { name }) };
}

const go = (page, street) => page.getByRole("button", { name: `Measure ${street}` });

/** The place of each home's number on the drawing, and its outline, in the order of the list. */
const drawn = (page) =>
  page.locator(".homes > g").evaluateAll((all) => all.map((group) => {
    const outline = group.querySelector(".outline").getBoundingClientRect().toJSON();
    const pill = group.querySelector(".pill").getBoundingClientRect();
    const chosen = getComputedStyle(group.querySelector(".chosen")).display != "none";
    return { outline, at: { x: pill.x + pill.width / 2, y: pill.y + pill.height / 2 }, chosen, number: group.querySelector("text").textContent };
  }));

const chosen = async (page) => (await drawn(page)).filter((one) => one.chosen).map(({ number }) => number);

test("the matched home comes first, then the nearest, with where they stand", async () => {
  const { visitor, page, homes, radio } = await atChoice("desktop");
  const rows = await homes.locator("label").allInnerTexts();
  assert.equal(rows.length, 6);
  assert.match(rows[0], /14 Alder Court\s+Matched to your address\s+[\d,]+\s+sq ft/);
  assert.match(rows.join("\n"), /16 Alder Court\s+Next door, east/);
  assert.match(rows.join("\n"), /12 Alder Court\s+Next door, west/);
  assert.match(rows.join("\n"), /Across the street/);
  assert.ok(await radio(/14 Alder Court/).isChecked());
  assert.deepEqual(await chosen(page), ["14"]);
  await go(page, "14 Alder Court").waitFor();
  await picture(page, "choose-1280");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await layoutProblems(page), []);
  // The drawing is one picture to a screen reader: the list is the control.
  await page.getByRole("img", { name: /Outlines of the home we found/ }).waitFor();
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("a pointer chooses on the drawing and the home that is measured has its own address", async () => {
  const { visitor, page, flow, lookUps, radio } = await atChoice("desktop");
  const there = (await drawn(page)).find(({ number }) => number == "16");
  await page.mouse.click(there.at.x, there.at.y);
  assert.ok(await radio(/16 Alder Court/).isChecked());
  assert.deepEqual(await chosen(page), ["16"]);
  await picture(page, "choose-1280-chosen");
  await go(page, "16 Alder Court").click();
  await flow.heading("Is this your roof?").waitFor();
  await page.getByText(/^16 Alder Court, Harrow Falls/).waitFor();
  assert.equal(lookUps.length, 2);
  assert.ok(lookUps[1].key, "by its key");
  // Around the new home.
  await page.getByRole("button", { name: "Not my roof" }).click();
  assert.match((await page.getByRole("radiogroup").locator("label").allInnerTexts())[0], /16 Alder Court\s+Matched/);
  await page.goBack();
  await flow.heading("Is this your roof?").waitFor();
  await flow.confirmRoof();
  const email = "dana.choose@example.com";
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email, consent: true });
  await flow.showEstimate.click();
  await flow.estimateShown();
  const [lead] = (await shingle.leads()).filter((one) => one.email === email);
  assert.match(lead.address, /^16 Alder Court/);
  assert.ok(lead.estimate);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("the matched home needs no further look-up, and neither does going back", async () => {
  const { visitor, page, flow, lookUps } = await atChoice("desktop");
  await go(page, "14 Alder Court").click();
  await flow.heading("Is this your roof?").waitFor();
  await page.getByRole("button", { name: "Not my roof" }).click();
  await page.getByRole("heading", { name: "Which roof is yours?" }).waitFor();
  await page.goBack();
  await flow.heading("Is this your roof?").waitFor();
  await page.goForward();
  await page.getByRole("heading", { name: "Which roof is yours?" }).waitFor();
  assert.equal(lookUps.length, 1);
  await visitor.leave();
});

test("arrows move and choose, and the focus is seen around the outline", async () => {
  const { visitor, page, flow, radio } = await atChoice("desktop");
  // From the heading, which has the focus, to the one stop of the list.
  await page.keyboard.press("Tab");
  assert.ok(await radio(/14 Alder Court/).evaluate((el) => el.matches(":focus")));
  await page.keyboard.press("ArrowDown");
  const [second] = await chosen(page);
  assert.notEqual(second, "14");
  const ring = page.locator(".homes > g").nth(1).locator(".ring");
  assert.notEqual(await ring.evaluate((el) => getComputedStyle(el).display), "none");
  await picture(page, "choose-1280-keys");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await chosen(page), [(await drawn(page)).at(-1).number], "around the end");
  const name = await page.getByRole("button", { name: /^Measure/ }).innerText();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await flow.heading(/is this your roof|which buildings/i).waitFor();
  await page.getByText(name.replace("Measure ", "")).first().waitFor();
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

for (const [what, size, hosted] of [
  ["390 px", sizes.phone, false],
  ["320 px", { ...sizes.phone, viewport: { width: 320, height: 640 } }, false],
  ["320 px, low", { ...sizes.phone, viewport: { width: 320, height: 568 } }, false],
  ["390 px, on the hosted page", sizes.phone, true],
]) {
  test(`a tap on each outline chooses its home and brings its row into view, ${what}`, async () => {
    const { visitor, page, radio, homes } = await atChoice(size, { hosted });
    const all = await drawn(page);
    await picture(page, `choose-${what.replace(/\W+/g, "-")}`);
    assert.deepEqual(await layoutProblems(page), []);
    assert.deepEqual(await violations(page), []);
    for (const at of [5, 1, 4, 2, 3, 0]) {
      const { at: place } = (await drawn(page))[at];
      await page.touchscreen.tap(place.x, place.y);
      assert.deepEqual(await chosen(page), [all[at].number]);
      const row = homes.locator("label").nth(at);
      assert.ok(await row.locator("input").isChecked());
      // Its name is between the drawing and the buttons.
      const { top, bottom, low, high } = await row.evaluate((el) => {
        const { top, bottom } = el.querySelector("b").getBoundingClientRect();
        const root = el.getRootNode();
        const box = (of) => root.querySelector(of).getBoundingClientRect();
        return { top, bottom, low: box(".sh-pane").bottom, high: Math.min(box(".sh-actions").top, innerHeight) };
      });
      assert.ok(top >= low - 1 && bottom <= high + 1, `${all[at].number}: ${top} to ${bottom} between ${low} and ${high}`);
    }
    await picture(page, `choose-${what.replace(/\W+/g, "-")}-tapped`);
    assert.ok(await radio(/14 Alder Court/).isChecked());
    assert.deepEqual(visitor.problems, []);
    await visitor.leave();
  });
}

test("beside the outlines the nearer one is chosen, and a target is as large as a finger", async () => {
  const { visitor, page } = await atChoice({ ...sizes.phone, viewport: { width: 320, height: 640 } });
  const targets = await page.locator(".press").evaluateAll((all) => all.map((path) => {
    const { width, height } = path.getBoundingClientRect();
    const wide = Number(path.getAttribute("stroke-width"));
    return [width + wide, height + wide];
  }));
  assert.equal(targets.length, 6);
  assert.deepEqual(targets.filter(([width, height]) => width < 44 || height < 44), []);
  // Points beside two outlines: the nearer one by its true distance has to win, whichever is drawn later.
  const points = await page.locator(".homes").evaluate((group) => {
    const outlines = [...group.querySelectorAll(".outline")];
    const places = outlines.map((path) => {
      const map = path.getScreenCTM();
      return Array.from({ length: 400 }, (_, at) => {
        const { x, y } = path.getPointAtLength((at / 400) * path.getTotalLength()).matrixTransform(map);
        return [x, y];
      });
    });
    const root = group.getRootNode();
    const pane = root.querySelector(".sh-pane").getBoundingClientRect();
    const found = [];
    for (let x = pane.left + 2; x < pane.right; x += 3)
      for (let y = pane.top + 2; y < pane.bottom; y += 3) {
        if (!root.elementFromPoint(x, y)?.matches(".press")) continue;
        const away = places.map((all) => Math.min(...all.map(([a, b]) => Math.hypot(a - x, b - y))));
        const [first, second] = away.map((d, at) => [d, at]).sort((a, b) => a[0] - b[0]);
        if (second[0] - first[0] > 2) found.push([x, y, first[1]]);
      }
    return found;
  });
  assert.ok(points.length > 20, `${points.length} places beside outlines`);
  for (const [x, y, home] of points.filter((_, at) => at % Math.ceil(points.length / 25) == 0)) {
    await page.touchscreen.tap(x, y);
    const picked = await page.locator(".sh-radio").evaluateAll((all) => all.findIndex((radio) => radio.checked));
    assert.equal(picked, home, `${x}, ${y}`);
  }
  await visitor.leave();
});

test("none of these leads to another address, to a visit without a roof, and to the phone", async () => {
  const { visitor, page, flow } = await atChoice("phone");
  await page.getByRole("button", { name: "None of these is mine" }).click();
  await flow.heading("Let’s find it together").waitFor();
  await animationsDone(page);
  await picture(page, "choose-none-390");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await layoutProblems(page), []);
  assert.equal(await page.getByRole("link", { name: /^Call \(/ }).count(), 1);
  await page.getByRole("button", { name: /Try another address/ }).click();
  await flow.address.waitFor();
  assert.match(await flow.address.inputValue(), /^14 Alder Court/);
  await flow.measure.click();
  await page.getByRole("button", { name: "Not my roof" }).click();
  await page.getByRole("button", { name: "None of these is mine" }).click();
  await page.getByRole("button", { name: /Ask us to measure it/ }).click();
  await flow.heading("We measure this one on site").waitFor();
  const email = "dana.none@example.com";
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email });
  await page.getByRole("button", { name: "Ask for a visit" }).click();
  await flow.heading(/thank you/i).waitFor();
  const [lead] = (await shingle.leads()).filter((one) => one.email === email);
  assert.match(lead.address, /^14 Alder Court/);
  assert.equal(lead.estimate, null, "a roof that is not theirs has no price");
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("ten times not my roof grows nothing", async () => {
  const { visitor, page, flow } = await atChoice("desktop");
  const nodes = () => page.evaluate(() => {
    const host = document.querySelector("shingle-launcher").shadowRoot;
    return host.querySelectorAll("*").length;
  });
  const seen = [];
  for (let turn = 0; turn < 10; turn++) {
    const radio = page.getByRole("radio", { name: turn % 2 ? /14 Alder Court/ : /16 Alder Court/ });
    await radio.check();
    await page.getByRole("button", { name: /^Measure/ }).click();
    await flow.heading("Is this your roof?").waitFor();
    await page.getByRole("button", { name: "Not my roof" }).click();
    await flow.heading("Which roof is yours?").waitFor();
    seen.push([await nodes(), await page.evaluate(() => history.length)]);
  }
  const [, , ...later] = seen;
  assert.deepEqual(later.filter((_, at) => at % 2 == 0).map(String), Array(4).fill(String(later[0])));
  await page.goBack();
  await flow.heading("Is this your roof?").waitFor();
  await page.goBack();
  await flow.address.waitFor();
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("a reloaded page goes on with the choice, and another language keeps what is chosen", async () => {
  const { visitor, page, flow } = await atChoice("desktop", { hosted: true });
  await page.getByRole("radio", { name: /16 Alder Court/ }).check();
  await page.getByRole("link", { name: "Español" }).click();
  await page.getByRole("heading", { name: "¿Cuál techo es el suyo?" }).waitFor();
  await page.getByText("Al lado, al este").waitFor();
  assert.ok(await page.getByRole("radio", { name: /16 Alder Court/ }).isChecked());
  assert.deepEqual(await chosen(page), ["16"]);
  await page.getByRole("button", { name: "Medir 16 Alder Court" }).waitFor();
  await page.reload();
  await flow.heading(/Which roof is yours|Cuál techo es el suyo/).waitFor();
  await visitor.leave();
});

describe("the choice in every window", () => {
  const looks = {
    "683 × 384": { viewport: { width: 683, height: 384 } },
    "768 × 1024": { viewport: { width: 768, height: 1024 } },
    "dark": { ...sizes.phone },
    "forced colors": { ...sizes.phone, forcedColors: "active", colorScheme: "dark" },
    "with motion": { ...sizes.desktop, ...moving },
  };
  for (const [name, size] of Object.entries(looks)) {
    test(name, async () => {
      const { visitor, page, radio } = await atChoice(size, { at: name == "dark" ? darkSite : site });
      await radio(/16 Alder Court/).check();
      await animationsDone(page);
      assert.deepEqual(await chosen(page), ["16"]);
      await picture(page, `choose-${name.replace(/\W+/g, "-")}`);
      assert.deepEqual(await layoutProblems(page), []);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(visitor.problems, []);
      await visitor.leave();
    });
  }
});

for (const [width, height] of [[320, 640], [390, 844], [1280, 900]]) {
  test(`without scripts the same list is a form and the drawing follows it, ${width} px`, async () => {
    const context = await browser.newContext({ viewport: { width, height }, locale: "en-US", javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(widget.hostedPageLink);
    await page.getByLabel("Your home address").fill("14 Alder Court");
    await page.getByRole("button", { name: "Measure my roof" }).click();
    await page.getByRole("link", { name: "Not my roof" }).click();
    await page.getByRole("heading", { name: "Which roof is yours?" }).waitFor();
    assert.deepEqual(await chosen(page), ["14"]);
    await page.getByRole("radio", { name: /16 Alder Court/ }).check();
    assert.deepEqual(await chosen(page), ["16"]);
    await picture(page, `choose-noscript-${width}`);
    await page.getByRole("button", { name: "Measure this roof" }).click();
    await page.getByText(/^16 Alder Court, Harrow Falls/).waitFor();
    await page.getByRole("link", { name: "Not my roof" }).click();
    await page.getByRole("link", { name: "None of these is mine" }).click();
    await page.getByRole("heading", { name: "Let’s find it together" }).waitFor();
    await picture(page, `choose-noscript-none-${width}`);
    await page.getByRole("link", { name: /Try another address/ }).click();
    await page.getByLabel("Your home address").waitFor();
    await context.close();
  });
}
