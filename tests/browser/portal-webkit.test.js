// The portal's journeys in WebKit, the engine of Safari.

import { launchWebKit, noWebKit, picture, sizes } from "./harness/browser.js";
import { portalJourneys } from "./fixtures/portal-journeys.js";

await portalJourneys("WebKit", {
  skip: noWebKit,
  launch: launchWebKit,
  // An iPhone. A wide window would add Chromium's and Firefox's layout to the same engine.
  on: ["phone"],
  arrive: async (browser, size) => {
    const page = await browser.newPage(sizes[size]);
    return { page, picture: (name) => picture(page, name), problems: () => page.problems(), leave: () => page.close() };
  },
});
