// WebKit, Safari's engine, over W3C WebDriver: as much of Playwright's page as the journeys use. Playwright itself
// only drives a WebKit that it built.

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openDisplay } from "./display.js";
import { find } from "./find-elements.js";
import { spawnMortal } from "./mortal.js";

const timeout = 20_000;
const elementKey = "element-6066-11e4-a52e-4f735466cecf";
const keys = { Enter: "\uE007", Tab: "\uE004", Escape: "\uE00C", ArrowUp: "\uE013", ArrowDown: "\uE015", Space: " " };
/** What a page that is still changing answers with. */
const passing = new Set(["stale element reference", "no such element", "element not interactable", "element click intercepted",
  "no such frame", "javascript error", "unknown error"]);

class WebDriverError extends Error {
  constructor({ error, message }) {
    super(`${error}: ${message}`);
    this.code = error;
  }
}

/** Repeats `attempt` until it gives something other than undefined. */
async function eventually(what, attempt) {
  const end = Date.now() + timeout;
  let last;
  do {
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      if (!passing.has(error.code)) throw error;
      last = error;
    }
    await sleep(30);
  } while (Date.now() < end);
  throw new Error(`waited ${timeout / 1000} s for ${what}${last ? ` (${last.message})` : ""}`);
}

/** Starts a display where there is none, and the driver. */
export async function launchWebDriver(program) {
  const children = [];
  const start = (command, words, options) => {
    const child = spawnMortal(command, words, options);
    children.push(child);
    child.once("error", (error) => console.error(`${command}: ${error.message}`));
    return child;
  };
  const display = await openDisplay();
  // It takes no port 0.
  let driver, url;
  for (let left = 5; left && !url; left--) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    driver = start(program, [`--port=${port}`, "--replace-on-new-session"], {
      stdio: "ignore",
      env: display.env,
    });
    for (let turn = 0; turn < 100 && !url && driver.exitCode === null; turn++) {
      await sleep(50);
      const ready = await fetch(`http://127.0.0.1:${port}/status`).then((answer) => answer.ok, () => false);
      if (ready) url = `http://127.0.0.1:${port}`;
    }
  }
  if (!url) throw new Error(`${program} did not start`);
  return {
    newPage: ({ viewport }) => Page.open(url, viewport),
    close: async () => {
      for (const child of children.reverse()) if (child.exitCode === null && child.kill()) await once(child, "exit");
      await display.close();
    },
  };
}

class Page {
  /** A window with an empty profile. */
  static async open(driver, { width, height }) {
    const page = new Page();
    page.driver = driver;
    const { sessionId } = await page.send("POST", "/session", { capabilities: {} });
    page.session = `/session/${sessionId}`;
    // The window has a bar of its own around what the page gets.
    const inner = await page.evaluate(() => [innerWidth, innerHeight]);
    const outer = await page.call("GET", "/window/rect");
    await page.call("POST", "/window/rect", { width: width + outer.width - inner[0], height: height + outer.height - inner[1] });
    page.keyboard = {
      press: (key) => page.press([keys[key] ?? key]),
      type: (text) => page.press([...text]),
    };
    page.screenshot = async ({ path }) => {
      // Of some pages the driver never sends one.
      const answer = await fetch(`${driver}${page.session}/screenshot`, { signal: AbortSignal.timeout(5_000) });
      await writeFile(path, Buffer.from((await answer.json()).value, "base64"));
    };
    return page;
  }

  close() {
    return this.send("DELETE", this.session);
  }

  async send(method, address, body) {
    const answer = await fetch(this.driver + address, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new WebDriverError(value);
    return value;
  }

  call(method, address, body) {
    return this.send(method, this.session + address, body);
  }

  async goto(url) {
    await this.call("POST", "/frame", { id: null });
    await this.call("POST", "/url", { url });
    await this.run(() => {
      const problems = (window[Symbol.for("problems")] = []);
      addEventListener("error", (event) => problems.push(event.message));
      addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
    });
  }

  /** Errors since the page was there: the driver has no console to read. */
  problems() {
    return this.evaluate(() => window[Symbol.for("problems")]);
  }

  /** Runs a function in the page, or in the frame that was last switched to. */
  async run(f, ...what) {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${f})(...[...arguments].slice(0, -1))).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await this.call("POST", "/execute/async", { script, args: what });
    if (error) throw new WebDriverError({ error: "javascript error", message: error });
    return value;
  }

  async evaluate(f, what = null) {
    if (this.session) await this.call("POST", "/frame", { id: null });
    return this.run(f, what);
  }

  waitForFunction(f, what) {
    return eventually(f, async () => (await this.evaluate(f, what)) || undefined);
  }

  waitForURL(fits) {
    return eventually("another page", async () => fits(new URL(await this.call("GET", "/url"))) || undefined);
  }

  async press(values) {
    const actions = values.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await this.call("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  async pointAndClick(element) {
    const actions = [
      { type: "pointerMove", origin: element, x: 0, y: 0 },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.call("POST", "/actions", { actions: [{ type: "pointer", id: "mouse", actions }] });
  }

  getByRole(role, options) {
    return new Locator(this).getByRole(role, options);
  }

  getByLabel(name) {
    return new Locator(this).getByLabel(name);
  }

  getByText(text) {
    return new Locator(this).getByText(text);
  }

  /** Of the selector only what it says of the frame itself: other selectors end at a shadow root. */
  frameLocator(css) {
    return new Locator(this, { frame: css.split(" ").at(-1) });
  }
}

/** Runs in the page: whether a click on the middle of an element hits it. */
function isOnTop(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = element.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
  return element.contains(hit) || Boolean(hit?.closest("label")?.control === element);
}

const matcher = (text) => (text instanceof RegExp ? { source: text.source, flags: text.flags } : text);

/** Elements that are looked for again at every use, by what a person sees or a screen reader says. */
class Locator {
  constructor(page, { frame = null, alternatives = null } = {}) {
    Object.assign(this, { page, frame, alternatives });
  }

  /** Every alternative is a path of steps, each within what the one before found. */
  step(step) {
    const alternatives = (this.alternatives ?? [[]]).map((steps) => [...steps, step]);
    return new Locator(this.page, { frame: this.frame, alternatives });
  }

  getByRole(role, { name = "", exact = false } = {}) {
    return this.step({ by: "role", role, text: matcher(name), exact });
  }

  getByLabel(name) {
    return this.step({ by: "label", text: matcher(name) });
  }

  getByText(text) {
    return this.step({ by: "text", text: matcher(text) });
  }

  or(other) {
    return new Locator(this.page, { frame: this.frame, alternatives: [...this.alternatives, ...other.alternatives] });
  }

  /** There is no strictness here: the first is always meant. */
  first() {
    return this;
  }

  toString() {
    return JSON.stringify(this.alternatives);
  }

  async elements() {
    const { page } = this;
    await page.call("POST", "/frame", { id: null });
    if (this.frame) {
      const [frame] = await page.run(find, [[{ by: "css", text: this.frame }]]);
      if (!frame) return [];
      await page.call("POST", "/frame", { id: frame });
    }
    return page.run(find, this.alternatives);
  }

  /** Acts on the first element once it is there and stands still. */
  use(what, act) {
    return eventually(`${what} of ${this}`, async () => {
      const [element] = await this.elements();
      if (!element) return undefined;
      const still = await this.page.run(async (it) => {
        const box = () => ["x", "y", "width", "height"].map((name) => it.getBoundingClientRect()[name]).join();
        const before = box();
        await new Promise((later) => setTimeout(later, 40));
        return it.isConnected && before === box();
      }, element);
      if (!still) return undefined;
      return (await act(`/element/${element[elementKey]}`, element)) ?? null;
    });
  }

  click() {
    return this.use("click", async (at, element) => {
      const { page } = this;
      try {
        await page.call("POST", `${at}/click`, {});
      } catch (error) {
        if (error.code !== "element click intercepted") throw error;
        // As for `fill`: people scroll a button out from under the page's bar, and this tries again.
        if (!(await page.run(isOnTop, element))) {
          await page.run((it) => it.scrollIntoView({ block: "center" }), element);
          throw error;
        }
        // The driver takes the host of a shadow root for something that covers what is in it.
        await page.pointAndClick(element);
      }
    });
  }

  fill(text) {
    return this.use("fill", async (at, element) => {
      // Keys in a field for a day go to its parts, in an order that depends on where one lives.
      // The driver scrolls no further than to the window's edge, where a page's own bar may be.
      await this.page.run((it) => it.scrollIntoView({ block: "center" }), element);
      const isDay = await this.page.run((it, day) => it.type === "date" && ((it.value = day), true), element, text);
      if (isDay) return;
      await this.page.call("POST", `${at}/clear`, {});
      if (text) await this.page.call("POST", `${at}/value`, { text });
    });
  }

  selectOption({ label }) {
    return this.use(`choosing ${label}`, async (at, element) => {
      // As for `fill`.
      await this.page.run((it) => it.scrollIntoView({ block: "center" }), element);
      const option = await this.page.run((it, wanted) => [...it.options].find((option) => option.label === wanted), element, label);
      if (!option) return undefined;
      return this.page.call("POST", `/element/${option[elementKey]}/click`, {});
    });
  }

  pressSequentially(text) {
    return this.use("typing", (at) => this.page.call("POST", `${at}/value`, { text }));
  }

  async check() {
    if (!(await this.evaluate((it) => it.checked))) await this.click();
  }

  evaluate(f) {
    return this.use("evaluation", async (_, element) => (await this.page.run(f, element)) ?? null);
  }

  innerText() {
    return this.evaluate((it) => it.innerText);
  }

  async isVisible() {
    return (await this.elements()).length > 0;
  }

  waitFor({ state = "visible" } = {}) {
    const gone = state === "detached" || state === "hidden";
    return eventually(`${this} to be ${state}`, async () => (await this.isVisible()) !== gone || undefined);
  }
}
