// Chromium, Firefox and WebKit as installed, and pages that remember what went wrong on them.

import path from "node:path";
import { chromium, firefox } from "playwright-core";
import { root } from "./shingle.js";
import { launchWebDriver } from "./webdriver.js";

/** Where pictures for the eye are kept: of what failed, and of every step with `SHINGLE_SCREENSHOTS=keep`. */
export const pictures = path.join(root, "target/browser");
const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

export const sizes = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 900 } },
};

/** The windows that every screen has to fit: phones, a tablet, desktops; and short ones, held sideways or zoomed in. */
export const windows = [[320, 640], [390, 844], [768, 1024], [1280, 900], [1920, 1080], [683, 384], [740, 360], [844, 390],
  [932, 430], [1024, 460]].map(([width, height]) => ({ width, height }));

/** SHA-256 of no bytes, as browsers write it. */
const DIGEST_OF_NOTHING = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/** For a visitor who sees what moves. */
export const moving = { reducedMotion: "no-preference" };

export const launch = () =>
  chromium.launch({
    executablePath: process.env.SHINGLE_CHROMIUM ?? "/usr/bin/chromium",
    chromiumSandbox: false,
    args: quiet,
  });

/** Why there is no browser to test in, or false. In CI there has to be one. */
const missing = (variable, browser) => (process.env[variable] || process.env.CI ? false : `${variable} names no ${browser}`);

export const noFirefox = missing("SHINGLE_FIREFOX", "Firefox");
export const noWebKit = missing("SHINGLE_WEBKIT", "WebKitWebDriver");

/** Firefox as its makers ship it, driven by WebDriver BiDi. */
export const launchFirefox = () =>
  firefox.launch({ channel: "moz-firefox", executablePath: process.env.SHINGLE_FIREFOX ?? "/usr/bin/firefox-esr" });

/** WebKit as Debian packages it, driven by WebDriver. */
export const launchWebKit = () => launchWebDriver(process.env.SHINGLE_WEBKIT ?? "WebKitWebDriver");

/** A picture to look at; nothing compares it. */
export async function picture(page, name, options) {
  if (process.env.SHINGLE_SCREENSHOTS != "keep") return;
  await page.screenshot({ path: path.join(pictures, `${name}.png`), animations: "disabled", ...options }).catch((error) => {
    console.error(`no picture of ${name}: ${error.message}`);
  });
}

/**
 * A visitor with an empty profile and one of the sizes, or a window of its own. Nothing moves unless the window says so.
 * `problems` collects what a healthy page never has.
 */
export async function newVisitor(browser, size) {
  const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...(sizes[size] ?? size) });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const problems = [];
  const said = [];
  const origins = new Set();
  page.on("console", (message) => {
    said.push(message.text());
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => {
    // A page that is left while it loads a script: Firefox compares what came, nothing, with the digest, and reports an error.
    if (!String(error).includes(DIGEST_OF_NOTHING)) problems.push(String(error));
  });
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  return {
    page,
    problems,
    said,
    origins,
    picture: (name) => picture(page, name),
    collectGarbage: async () => (await context.newCDPSession(page)).send("HeapProfiler.collectGarbage"),
    leave: () => context.close(),
  };
}
