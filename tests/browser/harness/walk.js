// Every page of the portal, as people have it before them: on the narrowest phone, at a desk with everything four times as
// large, and at a desk; in light, dark and forced colors.

import { inOtherColors, violations } from "./accessibility.js";
import { picture } from "./browser.js";

const narrow = { width: 320, height: 640 };
/** 1280 by 1024 pixels at 400 %. */
const zoomed = { width: 320, height: 256 };
const wide = { width: 1280, height: 900 };
const looks = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  forced: { colorScheme: "light", forcedColors: "active" },
};
/** What a finger has to hit. */
const targets = "main a.btn, main button, main select, main summary, main .in, .rail nav a, .tick, .services a, .rowed a";
const leastHeight = 43.5;

/** What axe can find at this size and in these colors only: names and roles are the same in all of them. */
const rules = new Map([[narrow, { light: {}, dark: inOtherColors }], [wide, { light: { onlyLooks: true }, dark: inOtherColors }]]);

async function faults(page, size, look) {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const found = wider > 0 ? [`${wider} pixels too wide`] : [];
  if (size === zoomed) {
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter((it) => ["sticky", "fixed"].includes(getComputedStyle(it).position) && it.getBoundingClientRect().height > innerHeight / 3)
        .map((it) => it.className));
    found.push(...covered.map((name) => `${name} stays in front of more than a third`));
  }
  const options = rules.get(size)?.[look];
  if (options) {
    // The bar at the bottom covers what can be scrolled from under it, which axe does not do.
    const height = await page.evaluate(() => Math.max(innerHeight, document.documentElement.scrollHeight));
    await page.setViewportSize({ ...size, height });
    found.push(...(await violations(page, options)));
  }
  if (size === narrow) {
    const low = await page.evaluate(([targets, least]) =>
      [...document.querySelectorAll(targets)]
        .filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < least && it.type !== "checkbox" && it.type !== "hidden")
        .map((it) => `${it.outerHTML.slice(0, 90)} is ${it.getBoundingClientRect().height} high`), [targets, leastHeight]);
    found.push(...low);
  }
  await page.setViewportSize(size);
  return found;
}

/** Goes to each of `paths`, by name; `prepare` does something on each. Returns what is wrong with them. */
export async function walk(page, origin, paths, prepare = async () => {}) {
  const found = [];
  let states = 0;
  for (const size of [narrow, zoomed, wide]) {
    await page.setViewportSize(size);
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(origin + path);
      await prepare();
      // Colors change without a reload.
      for (const [look, media] of Object.entries(looks)) {
        await page.emulateMedia(media);
        states += 1;
        const at = `${name} at ${size.width} by ${size.height} in ${look}`;
        await picture(page, `portal-${name}-${size.width}x${size.height}-${look}`, { fullPage: size !== zoomed });
        found.push(...(await faults(page, size, look)).map((line) => `${at}: ${line}`));
      }
      await page.emulateMedia(looks.light);
    }
  }
  console.log(`${states} states of ${Object.keys(paths).length} pages`);
  return found;
}
