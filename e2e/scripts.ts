/** The scripts that a page refers to, without which it does not work. */

/** Of a page, in bytes as they come over. On a slow phone they are half a second of its connection, and of its processor. */
export const mostScriptBytes = 180_000;

/** Their paths, in the server's answer to the page. What only browsers without modules load does not count. */
export function scriptsNamedIn(html: string): string[] {
  const forOldBrowsers = html.match(/<script[^>]*\bnoModule\b[^>]*>/gi)?.join() ?? "";
  const named = new Set(html.match(/static\/chunks\/[\w.~-]+\.js/g));
  return [...named].filter((path) => !forOldBrowsers.includes(path)).map((path) => `/_next/${path}`);
}

/** Counts what the scripts that a page of a server names take to come over: compressed, without headers. */
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
