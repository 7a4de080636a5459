// What is put into the page before its own scripts: it watches and changes nothing. The same for everybody.

export function probe({ launcher, until, saver }) {
  if (window !== window.top) return;
  if (saver) Object.defineProperty(NetworkInformation.prototype, "saveData", { get: () => true });
  const bench = (window.bench = { shift: 0, shiftAtOpening: 0, lcp: 0, delays: [] });

  const watch = (type, each, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  watch("layout-shift", (entry) => {
    if (bench.clicked === undefined || entry.startTime < bench.clicked) bench.shift += entry.value;
    else bench.shiftAtOpening += entry.value;
  });
  watch("largest-contentful-paint", (entry) => (bench.lcp = entry.startTime));
  watch("event", (entry) => entry.interactionId && bench.delays.push(entry.duration), { durationThreshold: 16 });

  const pierce = (selectors) =>
    selectors.reduce((at, selector) => (at?.shadowRoot ?? at)?.querySelector(selector), document);
  const seen = (element) => {
    if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.top < innerHeight && box.left < innerWidth && box.bottom > 0;
  };
  const focused = () => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active;
  };
  /** Called in a frame: `then` gets the time at which that frame was painted. */
  const painted = (then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => then(performance.now());
    port2.postMessage(0);
  };
  /** The first painted frame in which `holds`. */
  const frame = (holds) =>
    new Promise((resolve) => {
      const look = () => (holds() ? painted(resolve) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });

  if (!launcher) return;
  let framed = false;
  addEventListener("message", (event) => (framed ||= event.data?.bench === "ready"));
  const usable = () => {
    if (until.focus) return seen(pierce(until.focus)) && focused() === pierce(until.focus);
    if (until.see) return seen(pierce(until.see));
    return framed && seen(pierce(until.frame));
  };
  bench.launcher = frame(() => seen(pierce(launcher))).then((at) => (bench.launcherAt = at));
  bench.box = () => pierce(launcher).getBoundingClientRect().toJSON();
  bench.value = () => focused()?.value;
  bench.usable = new Promise((resolve) => {
    const clicked = (event) => {
      bench.clicked = event.timeStamp;
      requestAnimationFrame(() => painted((at) => (bench.firstFrame = at - bench.clicked)));
      frame(usable).then((at) => resolve((bench.usableAt = at)));
    };
    addEventListener("click", clicked, { capture: true, once: true });
  });
}
