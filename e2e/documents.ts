/** Uploads documents in every supported way. */
import type { Api, Reply } from "./fixtures.ts";

export interface Document {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

export const inJson = ({ fileName, contentType, bytes }: Document) => ({
  fileName,
  contentType,
  contentBase64: bytes.toString("base64"),
});

/** Returns a form's bytes and content type; built by hand, because a client would sanitize the names. */
export function form({ fileName, contentType, bytes }: Document, data?: object) {
  const boundary = "a-boundary-that-is-in-no-file";
  const name = fileName.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  const head = [
    ...(data
      ? [`--${boundary}`, 'content-disposition: form-data; name="data"', "", JSON.stringify(data)]
      : []),
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${name}"`,
    `content-type: ${contentType}`,
    "",
    "",
  ];
  const raw = Buffer.concat([Buffer.from(head.join("\r\n")), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { raw, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

export function uploadJson(api: Api, contractId: string, document: Document): Promise<Reply> {
  return api(`POST /contracts/${contractId}/versions`, { body: { document: inJson(document) } });
}

export function uploadForm(api: Api, contractId: string, document: Document): Promise<Reply> {
  return api(`POST /contracts/${contractId}/versions`, form(document));
}
