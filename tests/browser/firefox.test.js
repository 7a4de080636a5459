// The core journeys in Firefox.

import { launchFirefox, noFirefox, newVisitor } from "./harness/browser.js";
import { engineJourneys } from "./fixtures/engine-journeys.js";

await engineJourneys("Firefox", {
  skip: noFirefox,
  launch: launchFirefox,
  arrive: async (browser) => {
    const visitor = await newVisitor(browser, "desktop");
    return { ...visitor, problems: () => visitor.problems };
  },
});
