/** Handles the requests of Next's route files, as web requests, each at its door. */
import { Readable } from "node:stream";
import type { NextRequest } from "next/server";
import { viewerFile } from "#lib/documents/viewer-files.ts";
import { addressHeader } from "#lib/http/proxy.ts";
import { handleAssistantRequest } from "./assistant.ts";
import { answerAuth } from "./auth.ts";
import { answerCalendar, answerExport, answerUnsubscribe } from "./downloads.ts";
import { handleKeyRequest } from "./key.ts";
import { handleMemberRequest } from "./member.ts";
import { handlePreviewRequest } from "./previews.ts";
import { handleSignerRequest } from "./signer.ts";

/** The values of the path's variable parts. */
export type PathValues = Record<string, string | string[]>;

export type WebDoor = (request: NextRequest, path: PathValues) => Promise<Response>;

type ApiDoor = typeof handleKeyRequest;

const toApi =
  (handle: ApiDoor): WebDoor =>
  async (request) => {
    const url = new URL(request.url);
    const result = await handle({
      method: request.method,
      url: url.pathname + url.search,
      ip: request.headers.get(addressHeader),
      header: (name) => request.headers.get(name) ?? undefined,
      chunks: () => bodyOf(request),
      gone: () => request.signal,
    });
    const body = result.body instanceof Readable ? Readable.toWeb(result.body) : result.body;
    return new Response(body as BodyInit | null, { status: result.status, headers: result.headers });
  };

async function* bodyOf({ body }: Request): AsyncIterable<Uint8Array> {
  if (body) yield* body;
}

/** A day: the viewer's files do not change within a version, and another version comes with another build. */
const viewerFileCacheControl = "public, max-age=86400";

async function answerViewerFile(_: Request, { file }: PathValues): Promise<Response> {
  const found = await viewerFile([file].flat().join("/"));
  if (!found) return new Response(null, { status: 404 });
  const headers = { "content-type": found.contentType, "cache-control": viewerFileCacheControl };
  return new Response(new Uint8Array(found.bytes), { headers });
}

export const webDoors = {
  key: toApi(handleKeyRequest),
  member: toApi(handleMemberRequest),
  previews: toApi(handlePreviewRequest),
  assistant: toApi(handleAssistantRequest),
  signer: toApi(handleSignerRequest),
  auth: answerAuth,
  exports: answerExport,
  calendar: answerCalendar,
  unsubscribe: answerUnsubscribe,
  viewerFiles: answerViewerFile,
} satisfies Record<string, WebDoor>;

export type WebDoors = Record<keyof typeof webDoors, WebDoor>;
