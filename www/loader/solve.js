// Fetched only when the server asks for work: finds the number of a challenge of ALTCHA's protocol, version 1, in a
// worker where the page allows one. It is its own worker's script.

// The first bits of the fractions of the roots of the first primes: SHA-256's constants.
const start = new Int32Array(8);
const rounds = new Int32Array(64);
for (let n = 2, count = 0; count < 64; n++) {
  let divisor = 2;
  while (n % divisor) divisor++;
  if (divisor < n) continue;
  const bits = (root) => (root % 1) * 2 ** 32;
  if (count < 8) start[count] = bits(Math.sqrt(n));
  rounds[count++] = bits(Math.cbrt(n));
}

const schedule = new Int32Array(64);
// Adds one block of sixteen words to those that led to `state`.
const compress = (state, block) => {
  let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (let i = 0; i < 64; i++) {
    let w = block[i];
    if (i > 15) {
      const x = schedule[i - 15];
      const y = schedule[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w = schedule[i - 16] + s0 + schedule[i - 7] + s1;
    }
    w = schedule[i] = w | 0;
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t = (h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + w) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t) | 0;
    d = c;
    c = b;
    b = a;
    a = (t + s0 + ((b & c) ^ (b & d) ^ (c & d))) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
};

// The first number from `from` on and below `end` whose hash behind the salt is `wanted`. The salt's whole blocks are
// hashed once.
const search = (salt, wanted, from, end) => {
  const words = new Int32Array(16);
  const put = (byte, at) => (words[(at >> 2) & 15] |= byte << (24 - 8 * (at & 3)));
  const before = start.slice();
  const bytes = new TextEncoder().encode(salt);
  bytes.forEach((byte, at) => {
    put(byte, at);
    if (at % 64 > 62) compress(before, words), words.fill(0);
  });
  const rest = words.slice();
  const target = wanted.match(/.{8}/g).map((word) => parseInt(word, 16) | 0);
  const state = new Int32Array(8);
  for (let number = from; number < end; number++) {
    state.set(before);
    words.set(rest);
    const digits = String(number);
    let length = bytes.length;
    const add = (byte) => {
      put(byte, length++);
      if (length % 64 < 1) compress(state, words), words.fill(0);
    };
    for (let i = 0; i < digits.length; i++) add(digits.charCodeAt(i));
    const bits = length * 8;
    add(128);
    if (length % 64 > 56) compress(state, words), words.fill(0);
    words[15] = bits;
    compress(state, words);
    if (state[0] === target[0] && state.every((word, i) => word === target[i])) return number;
  }
};

// A worker's address has to be of the page's own origin.
const workerUrl = (own = import.meta.url) =>
  new URL(own).origin === location.origin
    ? own
    : URL.createObjectURL(new Blob(["import " + JSON.stringify(own)], { type: "text/javascript" }));

const inWorker = (...task) =>
  new Promise((found, failed) => {
    const worker = new Worker(workerUrl(), { type: "module" });
    const end = (then, value) => {
      worker.terminate();
      then(value);
    };
    worker.onmessage = ({ data }) => end(found, data);
    worker.onerror = (event) => {
      event.preventDefault();
      end(failed);
    };
    worker.postMessage(task);
  });

// Pages may forbid workers. In pieces that leave the page its frames.
const inPieces = async (salt, wanted, from, end) => {
  for (; from < end; from += 4000) {
    const found = search(salt, wanted, from, Math.min(from + 4000, end));
    if (found >= 0) return found;
    await new Promise((then) => setTimeout(then));
  }
};

if (typeof document === "undefined") onmessage = ({ data }) => postMessage(search(...data));

// The solution as it is sent.
export default async ({ algorithm, challenge, maxnumber, salt, signature }) => {
  const task = [salt, challenge, 0, maxnumber + 1];
  const number = await inWorker(...task).catch(() => inPieces(...task));
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
};
