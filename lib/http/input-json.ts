/** Reads a JSON body with a file in base64: the file is streamed to disk, the rest is parsed. */
import { randomUUID } from "node:crypto";
import { invalid } from "#lib/core/errors.ts";
import type { FileField } from "#lib/core/operation.ts";
import { type Incoming, Receiver, tooLarge } from "#lib/storage/incoming.ts";
import { Base64Decoder } from "./base64.ts";
import { bodyLimitBytes, jsonObject, refuseLength } from "./body.ts";
import type { ApiRequest } from "./exchange.ts";
import { JsonDivider } from "./json-divider.ts";
import type { Upload } from "./upload.ts";

/** Four characters for three bytes; some writers escape `/` and `+`, which are one in 32 characters of base64. */
const maxBodyBytes = (limitBytes: number) => bodyLimitBytes + Math.ceil(((limitBytes * 4) / 3) * 1.125);

interface ReceivedFile {
  marker: string;
  receiver: Receiver;
  decoder: Base64Decoder;
  incoming: Incoming | null;
}

export async function jsonWithFile(
  request: ApiRequest,
  field: FileField,
): Promise<{ body: Record<string, unknown>; upload: Upload | null }> {
  refuseLength(request, maxBodyBytes(field.limitBytes));
  const files: ReceivedFile[] = [];
  const discard = async () => {
    for (const { receiver } of files) await receiver.discard();
  };
  try {
    const body = jsonObject(await divide(request, field, files));
    const document = Object(body[field.name]) as Record<string, unknown>;
    const content = document.contentBase64;
    // A key written with escapes was not recognized while streaming; its file is limited like any text.
    if (typeof content === "string" && !files.some(({ marker }) => marker === content)) {
      document.contentBase64 = await receiveText(content, field, files);
    }
    const file = files.find(({ marker }) => marker === document.contentBase64);
    if (!file?.incoming) return { body, upload: null };
    document.contentBase64 = file.incoming.sha256;
    const { isMalformed } = file.decoder;
    return { body, upload: { incoming: file.incoming, isMalformed, discard } };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Receives the files, and returns the text without them. */
async function divide(request: ApiRequest, field: FileField, files: ReceivedFile[]): Promise<Uint8Array> {
  const secret = randomUUID();
  const divider = new JsonDivider([field.name, "contentBase64"], (index) => `${secret} ${index}`);
  const rest: Uint8Array[] = [];
  let restBytes = 0;
  let bytes = 0;
  for await (const chunk of request.chunks()) {
    bytes += chunk.length;
    // Line breaks and invalid characters do not count as bytes of the file.
    if (bytes > 2 * maxBodyBytes(field.limitBytes)) throw tooLarge("body", maxBodyBytes(field.limitBytes));
    for (const piece of divider.push(chunk)) {
      if (piece.kind === "begin") {
        if (files.length > 0) throw twice(field);
        files.push(await openFile(piece.marker, field));
      } else if (piece.kind === "text") {
        restBytes += piece.bytes.length;
        if (restBytes > bodyLimitBytes) throw tooLarge("body", bodyLimitBytes);
        rest.push(Buffer.from(piece.bytes));
      } else await write(files.at(-1)!, piece.kind === "string" ? piece.bytes : null);
    }
  }
  return Buffer.concat(rest);
}

/** A name may occur twice in an object. Storing a file for each would be cheap to abuse. */
const twice = ({ name }: FileField) =>
  invalid({ path: `${name}.contentBase64`, message: "appears more than once: send one file" });

async function openFile(marker: string, { limitBytes }: FileField): Promise<ReceivedFile> {
  return { marker, receiver: await Receiver.open(limitBytes), decoder: new Base64Decoder(), incoming: null };
}

/** Null ends the file. */
async function write(file: ReceivedFile, bytes: Uint8Array | null): Promise<void> {
  const { decoder, receiver } = file;
  const decoded = bytes ? decoder.push(bytes) : decoder.finish();
  if (decoded.length > 0) await receiver.write(decoded);
  if (!bytes) file.incoming = await receiver.finish();
}

async function receiveText(content: string, field: FileField, files: ReceivedFile[]): Promise<string> {
  const file = await openFile(randomUUID(), field);
  files.push(file);
  await write(file, Buffer.from(content));
  await write(file, null);
  return file.marker;
}
