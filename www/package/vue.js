import { onMounted, onUnmounted, shallowRef } from "vue";
import { borrow } from "./embed.js";

/** The widget while this component is on the page: refs `shingle` and `error`, both null until one of them is known. */
export function useShingle(options) {
  const shingle = shallowRef(null);
  const error = shallowRef(null);
  let loan;
  onMounted(() => {
    const mine = (loan = borrow(options));
    mine.ready.then(
      (loaded) => loan === mine && (shingle.value = loaded),
      (reason) => loan === mine && (error.value = reason),
    );
  });
  onUnmounted(() => {
    shingle.value = null;
    loan?.release();
    loan = undefined;
  });
  return { shingle, error };
}
