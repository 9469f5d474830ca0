/**
 * Runs `work` once the page is idle, or after 200 ms in browsers without requestIdleCallback. Returns a
 * function that cancels it.
 */
export function whenIdle(work: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const asked = requestIdleCallback(() => work());
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}
