// The check of the servers' logs finds what it looks for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { personalKinds } from "./harness/log-check.js";

const lead = {
  firstName: "Zoë",
  lastName: "O'Brien",
  email: "zoe@example.com",
  phone: "(207) 555-0199",
  address: "7 Mill Lane, Harrow, NH 03290",
  message: "Mind the dog.",
};

test("each kind of personal data is found, and the rest is not", () => {
  for (const [line, kinds] of [
    ["path=/readyz status=200", []],
    ["path=/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11/e/{token} status=200", []],
    ["Zoëlle asked for sample homes in Harrow", []],
    ["a lead of Zoë", ["name"]],
    ["O'Brien", ["name"]],
    ["to=zoe@example.com", ["email"]],
    ["555-0199 and +12075550199", ["telephone"]],
    ["number 2075550199", ["telephone"]],
    ["address=7 Mill Lane", ["street"]],
    ["q=Mill Lane", ["street"]],
    ["typed Alder Court", ["street"]],
    ["note Mind the dog.", ["message"]],
    ["path=/w/a/e/c2VjcmV0LXRva2Vu", ["token"]],
    ["token: sandbox_0123456789abcdefXY", ["token"]],
    ["s3cr3t-of-this-run", ["token"]],
  ]) {
    assert.deepEqual(personalKinds(line, [lead], ["s3cr3t-of-this-run"]), kinds, line);
  }
});
