/**
 * Client ID metadata documents: a program's id is the address of a page that describes it. Anyone can name an address
 * here, so the page is fetched as strangers' addresses are: never from inside, little of it, and not for long.
 */
import { type Egress, sendForStranger } from "#lib/egress/egress.ts";

const mostBytes = 5 * 1024;
const timeoutMs = 2_500;

/** As the library asks for one: it judges what comes. A redirect is not followed. */
export function documentFetcher(send: Egress["send"] = sendForStranger) {
  return async (url: string | URL): Promise<Response> => {
    const { status, headers, bytes } = await send({
      url: String(url),
      method: "GET",
      headers: { accept: "application/json", "accept-encoding": "identity" },
      timeoutMs,
      // One more than the library takes, so that it sees what is too long.
      maxResponseBytes: mostBytes + 1,
    });
    if (status !== 200) return new Response(null, { status: 502 });
    const { "cache-control": caching } = headers;
    return new Response(new Uint8Array(bytes), caching ? { headers: { "cache-control": caching } } : {});
  };
}
