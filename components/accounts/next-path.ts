/**
 * Returns where to go after signing in: one of our pages, never another site. Anything else becomes /home.
 */
export function nextPath(given: string | string[] | undefined): string {
  const path = Array.isArray(given) ? given[0] : given;
  if (!path) return "/home";
  // Resolved as by a browser: "//evil.example" and "/\evil.example" are other hosts, and "/..//evil.example" becomes
  // one once its normalized path is used on its own.
  const base = "http://here.invalid";
  const url = URL.parse(path, base);
  if (url?.origin !== base || !path.startsWith("/") || /^\/(\/|api\/)/.test(url.pathname)) return "/home";
  return url.pathname + url.search + url.hash;
}
