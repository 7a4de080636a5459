/** Node.js 18 has it in a module only; everything newer, Deno, Bun and Workers have it as a global. */
export async function webCrypto(): Promise<Crypto> {
  if (typeof globalThis.crypto === "object") return globalThis.crypto;
  const name = "node:crypto";
  const { webcrypto } = (await import(name)) as { webcrypto: Crypto };
  return webcrypto;
}
