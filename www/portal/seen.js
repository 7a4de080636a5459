// What a script adds to a page waits until the page is painted, or until somebody is quicker and touches it.
const whenSeen = (work) => {
  const touched = new AbortController();
  const start = () => {
    if (touched.signal.aborted) return;
    touched.abort();
    work();
  };
  for (const touch of ["keydown", "pointerdown", "click", "input", "change"])
    addEventListener(touch, start, { capture: true, signal: touched.signal });
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
};
