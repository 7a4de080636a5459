// The core journeys in WebKit, the engine of Safari.

import { launchWebKit, noWebKit, sizes } from "./harness/browser.js";
import { engineJourneys } from "./fixtures/engine-journeys.js";

await engineJourneys("WebKit", {
  skip: noWebKit,
  launch: launchWebKit,
  arrive: async (browser) => {
    const page = await browser.openVisitor(sizes.desktop);
    return { page, picture: page.picture, problems: () => page.problems(), leave: page.leave };
  },
});
