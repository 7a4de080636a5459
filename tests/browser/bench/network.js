// What the embed loads: every request that is not the contractor's own.

export class NetworkLog {
  constructor(cdp, site) {
    this.all = new Map();
    this.changed = () => {};
    cdp.on("Network.requestWillBeSent", ({ requestId, request, timestamp, type }) => {
      if (request.url.startsWith(site) || request.url.startsWith("data:")) return;
      const away = new URL(request.url).hostname !== "127.0.0.1";
      const { url, method } = request;
      this.all.set(requestId, { url, method, kind: type, start: timestamp, bytes: 0, away });
      this.changed();
    });
    cdp.on("Network.responseReceived", ({ requestId, response }) => {
      const one = this.all.get(requestId);
      if (!one) return;
      // A script that was fetched before it is imported costs nothing the second time.
      if (response.fromDiskCache) {
        this.all.delete(requestId);
        return this.changed();
      }
      one.head = response.encodedDataLength;
      one.length = Number(response.headers["content-length"] ?? response.headers["Content-Length"] ?? NaN);
    });
    cdp.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => {
      const one = this.all.get(requestId);
      if (!one) return;
      one.end = timestamp;
      // What is left without the headers is exact only for a body that says how long it is.
      one.bytes = one.length >= 0 ? one.length : Math.max(0, encodedDataLength - (one.head ?? 0));
      this.changed();
    });
    cdp.on("Network.loadingFailed", ({ requestId, timestamp }) => {
      const one = this.all.get(requestId);
      if (one) Object.assign(one, { end: timestamp, failed: true });
      this.changed();
    });
  }

  /** Resolves when nothing has been under way for `ms`. */
  quiet(ms) {
    return new Promise((resolve) => {
      let timer;
      this.changed = () => {
        clearTimeout(timer);
        if (this.pending().length === 0) timer = setTimeout(resolve, ms);
      };
      this.changed();
    });
  }

  /** The addresses under way. */
  pending() {
    return [...this.all.values()].filter((one) => one.end === undefined).map((one) => one.url);
  }

  /** What was asked for since the last call, preflights included. */
  take() {
    const taken = [...this.all.values()];
    this.all.clear();
    return taken;
  }
}

/** Bodies as sent, without their headers. */
export function weigh(requests) {
  return {
    requests: requests.length,
    bytes: requests.reduce((sum, one) => sum + one.bytes, 0),
    away: requests.filter((one) => one.away).length,
    urls: requests.map((one) => `${one.method} ${one.url}`),
  };
}

/** How many of these had to wait for another to end: 1 when all were asked for side by side. */
export function stages(requests) {
  const depth = new Map();
  for (const one of [...requests].sort((a, b) => a.start - b.start)) {
    const before = [...depth].filter(([other]) => other.end <= one.start).map(([, d]) => d);
    depth.set(one, 1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depth.values());
}
