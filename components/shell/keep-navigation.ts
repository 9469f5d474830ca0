/**
 * A link that was followed leads on. Whatever the page that is being left still writes into its own address (the page of a
 * document that is in view, a filter) would make Next give up the navigation under way: it is not written any more.
 */

/** Where a navigation has not arrived by then, it never will. */
const longestMs = 10_000;

let isOver = () => {};

/** To be told of every navigation that begins. */
export function keepNavigation(url: string, type: "push" | "replace" | "traverse"): void {
  const isOwnAddress =
    type === "replace" && new URL(url, window.location.href).pathname === window.location.pathname;
  if (type === "traverse" || isOwnAddress) return;
  isOver();
  const { history } = window;
  const before = { pushState: history.pushState, replaceState: history.replaceState };
  const timer = setTimeout(() => isOver(), longestMs);
  isOver = () => {
    clearTimeout(timer);
    Object.assign(history, before);
    isOver = () => {};
  };
  for (const method of ["pushState", "replaceState"] as const) {
    history[method] = (data, unused, address) => {
      if (!isNexts(data)) return;
      isOver();
      history[method](data, unused, address);
    };
  }
}

/** Next marks what it writes itself, once a page has arrived. */
function isNexts(data: unknown): boolean {
  return typeof data === "object" && data !== null && "__NA" in data;
}
