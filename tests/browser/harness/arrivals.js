// What has arrived at a server of a test, and the tests that wait for it.

/** As long as a visitor's browser waits for an element. */
const patience = 20_000;

export class Arrivals {
  all = [];
  waiting = [];

  add(it) {
    this.all.push(it);
    this.waiting = this.waiting.filter(({ wanted, found }) => !wanted(it) || found(it));
  }

  /** The first that is wanted, whether it is here or still to come. */
  next(wanted = () => true) {
    const here = this.all.find(wanted);
    if (here) return Promise.resolve(here);
    const late = AbortSignal.timeout(patience);
    return new Promise((found, lost) => {
      this.waiting.push({ wanted, found });
      late.onabort = () => lost(new Error(`not among the ${this.all.length} that have arrived`));
    });
  }
}
