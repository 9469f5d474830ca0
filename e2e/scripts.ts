/** The scripts that a page loads and that it does not work without. */

/** Per page, in transferred bytes: on a slow phone, half a second of its connection and of its processor. */
export const mostScriptBytes = 180_000;

/** Returns their paths from the page's HTML. Scripts that only browsers without modules load do not count. */
export function scriptsNamedIn(html: string): string[] {
  const forOldBrowsers = html.match(/<script[^>]*\bnoModule\b[^>]*>/gi)?.join() ?? "";
  const named = new Set(html.match(/static\/chunks\/[\w.~-]+\.js/g));
  return [...named].filter((path) => !forOldBrowsers.includes(path)).map((path) => `/_next/${path}`);
}

/** Returns a function that counts the transferred bytes of a page's scripts: compressed, without headers. */
export function scriptCounter(origin: string): (html: string) => Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = async (path: string) => {
    const response = await fetch(origin + path, { headers: { "accept-encoding": "br" } });
    await response.body?.cancel();
    const bytes = Number(response.headers.get("content-length"));
    if (!response.ok || bytes === 0) throw new Error(`${path} answered ${response.status}, ${bytes} bytes.`);
    return bytes;
  };
  return async (html) => {
    const bytes = scriptsNamedIn(html).map((path) => {
      const size = sizes.get(path) ?? sizeOf(path);
      sizes.set(path, size);
      return size;
    });
    return (await Promise.all(bytes)).reduce((sum, size) => sum + size, 0);
  };
}
