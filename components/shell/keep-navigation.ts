/**
 * Keeps a navigation from being canceled. If the page being left still updates its own address (the document
 * page in view, a filter), Next abandons the navigation in progress. During a navigation, such updates are
 * dropped.
 */

/** The time after which a navigation counts as failed. */
const longestMs = 10_000;

let endNavigation = () => {};

/** Starts to protect a navigation. Next calls it at the start of every navigation. */
export function keepNavigation(url: string, type: "push" | "replace" | "traverse"): void {
  const isOwnAddress =
    type === "replace" && new URL(url, window.location.href).pathname === window.location.pathname;
  if (type === "traverse" || isOwnAddress) return;
  endNavigation();
  const { history } = window;
  const before = { pushState: history.pushState, replaceState: history.replaceState };
  const timer = setTimeout(() => endNavigation(), longestMs);
  endNavigation = () => {
    clearTimeout(timer);
    Object.assign(history, before);
    endNavigation = () => {};
  };
  for (const method of ["pushState", "replaceState"] as const) {
    history[method] = (data, unused, address) => {
      if (!isNexts(data)) return;
      endNavigation();
      history[method](data, unused, address);
    };
  }
}

/**
 * Whether Next wrote the history entry itself. It marks its entries, and writes them once a page has arrived.
 */
function isNexts(data: unknown): boolean {
  return typeof data === "object" && data !== null && "__NA" in data;
}
