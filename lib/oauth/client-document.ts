/**
 * Client ID metadata documents: a program's id is the URL of a document that describes it. Anyone can name any URL, so
 * the document is fetched like every URL from strangers: never from internal addresses, and with limits on size and
 * time.
 */
import { type Egress, sendForStranger } from "#lib/egress/egress.ts";

const maxBytes = 5 * 1024;
const timeoutMs = 2_500;

/** Returns the fetch function for the library, which validates the document. Redirects are not followed. */
export function documentFetcher(send: Egress["send"] = sendForStranger) {
  return async (url: string | URL): Promise<Response> => {
    const { status, headers, bytes } = await send({
      url: String(url),
      method: "GET",
      headers: { accept: "application/json", "accept-encoding": "identity" },
      timeoutMs,
      // One byte more than the library accepts, so that it notices a document that is too long.
      maxResponseBytes: maxBytes + 1,
    });
    if (status !== 200) return new Response(null, { status: 502 });
    const { "cache-control": caching } = headers;
    return new Response(new Uint8Array(bytes), caching ? { headers: { "cache-control": caching } } : {});
  };
}
