// The core journeys in Firefox.

import { launchFirefox, noFirefox, visitor } from "./harness/browser.js";
import { engineJourneys } from "./fixtures/engine-journeys.js";

await engineJourneys("Firefox", {
  skip: noFirefox,
  launch: launchFirefox,
  arrive: async (browser) => {
    const guest = await visitor(browser, "desktop");
    return { ...guest, problems: () => guest.problems };
  },
});
