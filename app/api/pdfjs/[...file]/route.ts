import { viewerFile } from "#lib/documents/viewer-files.ts";

/** A day: what a version of the viewer loads does not change, and another version comes with another build. */
const kept = "public, max-age=86400";

export async function GET(
  _: Request,
  { params }: { params: Promise<{ file: string[] }> },
): Promise<Response> {
  const { file } = await params;
  const found = await viewerFile(file.join("/"));
  if (!found) return new Response(null, { status: 404 });
  const headers = { "content-type": found.contentType, "cache-control": kept };
  return new Response(new Uint8Array(found.bytes), { headers });
}
