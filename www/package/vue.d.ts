import type { ShallowRef } from "vue";
import type { Shingle, ShingleOptions } from "./embed.js";

export function useShingle(options: ShingleOptions): {
  shingle: ShallowRef<Shingle | null>;
  error: ShallowRef<Error | null>;
};
