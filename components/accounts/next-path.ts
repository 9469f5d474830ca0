/** Where to go after signing in: a path of ours, never another site. */
export function nextPath(given: string | string[] | undefined): string {
  const path = Array.isArray(given) ? given[0] : given;
  if (!path) return "/home";
  // Resolved as the browser would: "//evil.example" and "/\evil.example" are other hosts, and "/..//evil.example" is
  // one as soon as its path stands alone.
  const base = "http://here.invalid";
  const url = URL.parse(path, base);
  if (url?.origin !== base || !path.startsWith("/") || /^\/(\/|api\/)/.test(url.pathname)) return "/home";
  return url.pathname + url.search + url.hash;
}
