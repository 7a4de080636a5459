// What the page's main thread did, from the browser's own trace. Counted is the thread's processor time, which the
// other work of a busy machine hardly changes; the slow-down is multiplied in here.

export const categories = ["toplevel", "devtools.timeline", "blink.user_timing", "v8"];
const long = 50;
/** Scripts at work. The contractor's page has none of its own, and what watches it has no address. */
const addressed = ["EvaluateScript", "v8.compile", "v8.compileModule", "FunctionCall"];
/** These never have one. */
const following = ["v8.evaluateModule", "RunMicrotasks", "v8.wasm.SyncInstantiate", "v8.wasm.AsyncInstantiate", "v8.wasm.CompileLazy"];

/** The main thread's tasks after the navigation to `site`: start and end by the page's clock, and the time used `slow` times. */
export function tasks(buffer, site, slow) {
  const { traceEvents } = JSON.parse(buffer);
  const navigation = traceEvents.find(
    (event) => event.name === "navigationStart" && event.args.data?.documentLoaderURL?.startsWith(site),
  );
  if (!navigation) throw new Error("the trace has no navigation to the page");
  const { pid, tid, ts } = navigation;
  const mine = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === "X");
  const found = mine
    .filter((event) => event.name === "ThreadControllerImpl::RunTask" && event.ts + event.dur > ts)
    .map((event) => ({ ...span(event, ts), used: work(event) * slow, own: 0 }))
    .sort((a, b) => a.start - b.start);
  let end = 0;
  for (const event of mine.filter(embeds).sort((a, b) => a.ts - b.ts)) {
    // A script called by another one is part of it.
    const at = span(event, ts);
    if (at.start < end) continue;
    end = at.end;
    const task = found.findLast((one) => one.start <= at.start && at.end <= one.end);
    if (task) task.own += work(event) * slow;
  }
  return found;
}

const span = ({ ts, dur }, origin) => ({ start: (ts - origin) / 1000, end: (ts + dur - origin) / 1000 });
const work = ({ tdur, dur }) => (tdur ?? dur) / 1000;

function embeds({ name, args }) {
  const url = args?.data?.url ?? args?.fileName ?? "";
  return following.includes(name) || (addressed.includes(name) && url.startsWith("http"));
}

/**
 * Of the tasks that begin in this span: how many are long, what they take beyond the 50 ms each may take, and how
 * much less that would be without the embed's scripts.
 */
export function blocking(all, from, to) {
  const over = (ms) => Math.max(0, ms - long);
  const within = all.filter((task) => task.start >= from && task.start < to);
  return {
    count: within.filter((task) => task.used > long).length,
    excess: within.reduce((sum, { used }) => sum + over(used), 0),
    own: within.reduce((sum, { used, own }) => sum + over(used) - over(used - own), 0),
  };
}

/** Time used between two moments; of a task that reaches over one of them, its share. */
export function used(all, from, to) {
  return all.reduce((sum, { start, end, used }) => {
    const inside = Math.min(end, to) - Math.max(start, from);
    return inside <= 0 ? sum : sum + used * Math.min(1, inside / (end - start));
  }, 0);
}
