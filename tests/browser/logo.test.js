// A logo that does not load: the company's name replaces it, to be read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PNG } from "pngjs";
import { newVisitor, sizes } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { animationsDone } from "./harness/walkthrough.js";

const { shingle, browser, closing } = await setUp();

const companies = { "a short name": "Quillback Roofing", "a long name": "Oberammergauerdachdecker Quillback & Daughters Roofing Company" };
const windows = { ...sizes, small: { viewport: { width: 320, height: 640 } }, short: { viewport: { width: 740, height: 360 } } };

/** How the picture's place looks: its letters against what is around them, and where it stands. */
const seen = (picture) =>
  picture.evaluate((img) => {
    img.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, top, right, bottom, width, height } = img.getBoundingClientRect();
    const beside = [...img.parentElement.children].filter((el) => el != img && el.checkVisibility());
    const over = ({ left: l, top: t, right: r, bottom: b }) => l < right - 1 && r > left + 1 && t < bottom - 1 && b > top + 1;
    const ground = (el) => {
      for (let at = el; at; at = at.parentElement ?? at.getRootNode().host) {
        const { backgroundColor } = getComputedStyle(at);
        if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor;
      }
      return "rgb(255, 255, 255)";
    };
    return { alt: img.alt, loaded: img.naturalWidth > 0, left, top, right, bottom, width, height, covered: beside.some((el) => over(el.getBoundingClientRect())),
      color: getComputedStyle(img).color, ground: ground(img), size: parseFloat(getComputedStyle(img).fontSize) };
  });

/** Contrast of two colors as WCAG has it. */
function contrast(a, b) {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((n) => n / 255).map((n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** The share of dots in the picture's place that are not the ground's color. */
async function inked(picture, { ground }) {
  const { data } = PNG.sync.read(await picture.screenshot({ animations: "disabled" }));
  const rgb = ground.match(/[\d.]+/g).map(Number);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) count += [0, 1, 2].some((c) => Math.abs(data[at + c] - rgb[c]) > 60);
  return count / (data.length / 4);
}

for (const [kind, companyName] of Object.entries(companies)) {
  for (const [size, window] of Object.entries(windows)) {
    for (const hosted of [false, true]) {
      test(`${kind} is read where the logo is blocked, ${size}, ${hosted ? "as a page" : "over a page"}`, async () => {
        const widget = await shingle.widget({ companyName });
        const site = closing(await minimalSite(widget.widgetScript));
        const { page, leave } = await newVisitor(browser, window);
        let blocked = 0;
        await page.route((url) => /\.(png|jpe?g|svg|webp|gif)$|\/logo/.test(url.pathname), (route) => route.abort("blockedbyclient", blocked++));
        await page.goto(hosted ? widget.hostedPageLink : site.url);
        if (!hosted) await page.locator(".sl").click();
        await page.locator("#sh-address").waitFor();
        const logo = page.locator(hosted ? ".h-logo" : ".sh-logo");
        await logo.evaluate((img) => img.complete || new Promise((done) => img.addEventListener("error", done, { once: true })));
        assert.ok(blocked > 0);
        await animationsDone(page);
        const at = await seen(logo);
        assert.equal(at.loaded, false);
        assert.equal(at.alt, companyName);
        assert.ok(at.width >= 60 && at.height >= 12, `it has a place of ${at.width} × ${at.height}`);
        assert.ok(at.size >= 12 && contrast(at.color, at.ground) >= 4.5, `${at.color} on ${at.ground}, ${at.size} px`);
        assert.ok(at.left >= 0 && at.right <= window.viewport.width && at.top >= 0, JSON.stringify(at));
        assert.equal(at.covered, false, "it stands on what is beside it");
        // The text is painted a moment after the image has failed.
        let share = 0;
        for (const end = Date.now() + 10_000; share <= 0.02 && Date.now() < end; ) share = await inked(logo, at);
        assert.ok(share > 0.02 && share < 0.5, `letters are drawn: ${share}`);
        await leave();
      });
    }
  }
}
