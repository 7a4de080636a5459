// The steps as they look at three widths, and the launchers. How to renew the pictures: harness/pictures.js.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { cases, realAnswers, Switchboard } from "./harness/answers.js";
import { bareSite } from "./harness/bare.js";
import { visitor } from "./harness/browser.js";
import { Album } from "./harness/pictures.js";
import { setUp } from "./harness/setup.js";
import { Walk } from "./harness/walk.js";

const widths = { phone: [390, 844], tablet: [768, 1024], desktop: [1280, 900] };
const steps = ["address", "address, list", "measuring", "not-found", "roof, several buildings", "roof", "details, errors",
  "details, closing", "unsent", "estimate, flags", "thanks"];
const banner = { elementType: "banner", bannerText: "What would a new roof cost? See it in a minute.", bannerBackgroundColor: "#14365c" };

const album = new Album();

const { shingle, browser } = await setUp();
const said = cases(await realAnswers(shingle, await shingle.widget()));
after(() => album.close());

async function place([width, height], changes, before = "") {
  const widget = await shingle.widget({ removeFooterLogo: "true", ...changes });
  const site = await bareSite(before + widget.widgetScript);
  const guest = await visitor(browser, { viewport: { width, height }, reducedMotion: "reduce" });
  await guest.page.addInitScript(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
  const enter = async (launcher = ".sl") => {
    await guest.page.goto(site.url);
    await guest.page.locator(launcher).waitFor();
  };
  return { page: guest.page, enter, leave: () => guest.leave().then(site.stop) };
}

/** Fails for what differs; says what this machine's fonts do not let it compare. */
function judge(t, results) {
  for (const { skipped } of results) if (skipped) t.diagnostic(`skipped: ${skipped}`);
  assert.deepEqual(results.flatMap(({ wrong }) => wrong), []);
}

for (const [name, size] of Object.entries(widths)) {
  test(`the steps look as they did, ${name}`, async (t) => {
    const { page, enter, leave } = await place(size);
    const results = [];
    const board = await Switchboard.on(page);
    const open = async () => {
      await enter();
      await page.locator(".sl").click();
      await page.locator("[data-screen=address] #sh-address:focus").waitFor();
    };
    const at = async (state) => {
      if (!steps.includes(state)) return;
      const text = state.startsWith("estimate") ? ".price" : ".sh-title";
      // Seconds go by.
      const still = page.locator(".sh-small[aria-hidden], .sh-note b[aria-hidden]");
      if (await still.count()) await still.first().evaluate((el) => (el.style.visibility = "hidden"));
      results.push(await album.compare(page, `${name}-${state.replace(", ", "-").replaceAll(" ", "-")}`, { text }));
    };
    await new Walk(page, board, said, open, at).wayThrough();
    assert.equal(results.length, steps.length);
    judge(t, results);
    await leave();
  });
}

for (const [name, size] of Object.entries(widths)) {
  test(`the launchers look as they did, ${name}`, async (t) => {
    const kinds = ["small", "medium", "large"].flatMap((elementSize) => [
      ...["bottom_right", "bottom_left", "side_right", "side_left"].map((elementLocation) => ({ elementSize, elementLocation })),
      ...["top", "bottom"].map((elementLocation) => ({ ...banner, elementSize, elementLocation })),
    ]);
    const results = [];
    for (const kind of kinds) {
      const { page, enter, leave } = await place(size, kind);
      await enter();
      const called = `${kind.elementType ?? "button"}-${kind.elementSize}-${kind.elementLocation}`;
      const clip = await around(page, kind.elementType ? ".sb" : ".sl", size);
      results.push(await album.compare(page, `${name}-${called}`, { clip, text: ".sl span" }));
      await leave();
    }
    judge(t, results);
  });

  test(`the card looks as it did, ${name}`, async (t) => {
    const { page, enter, leave } = await place(size, { elementType: "custom", elementLocation: undefined }, "<shingle-estimate></shingle-estimate>");
    await enter(".sc");
    const clip = await around(page, ".sc", size);
    judge(t, [await album.compare(page, `${name}-card`, { clip, text: "h2", within: "shingle-estimate" })]);
    await leave();
  });
}

/** The part of the page with this and a little of what is around it. */
async function around(page, selector, [width, height]) {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [Math.max(0, box.x - 12), Math.max(0, box.y - 12)];
  return { x, y, width: Math.min(width, box.x + box.width + 12) - x, height: Math.min(height, box.y + box.height + 12) - y };
}
