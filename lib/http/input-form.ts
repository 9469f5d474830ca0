/** Reads a form with a file: the part `file` is streamed to disk, the part `data` is the JSON of the rest. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { invalid, Refusal } from "#lib/core/errors.ts";
import type { FileField } from "#lib/core/operation.ts";
import { Receiver } from "#lib/storage/incoming.ts";
import { bodyLimitBytes, jsonObject, refuseLength } from "./body.ts";
import type { ApiRequest } from "./exchange.ts";
import type { Upload } from "./upload.ts";

const malformed = (why: string) =>
  new Refusal("invalid_body", `The body is not a complete multipart/form-data form: ${why}.`);

export async function formInput(
  request: ApiRequest,
  field: FileField,
): Promise<{ body: Record<string, unknown>; upload: Upload | null }> {
  refuseLength(request, field.limitBytes + bodyLimitBytes);
  const form = new Form(field);
  try {
    await form.read(request);
    const data = form.data === null ? {} : jsonObject(Buffer.from(form.data));
    if (Object.hasOwn(data, field.name)) {
      throw invalid({ path: field.name, message: "is the part `file` of a form, not a field of its data" });
    }
    const { file } = form;
    if (!file) return { body: data, upload: null };
    const { fileName, contentType, receiver } = file;
    const incoming = await receiver.finish();
    const body = { ...data, [field.name]: { fileName, contentType, contentBase64: incoming.sha256 } };
    return { body, upload: { incoming, isMalformed: false, discard: () => form.discard() } };
  } catch (error) {
    await form.discard();
    throw error;
  }
}

interface FilePart {
  fileName: string;
  contentType: string;
  receiver: Receiver;
}

class Form {
  readonly #field: FileField;
  readonly #stop = new AbortController();
  #failure: unknown;
  #receiving: Promise<void> | null = null;
  #stream: BusboyFileStream | null = null;
  file: FilePart | null = null;
  data: string | null = null;

  constructor(field: FileField) {
    this.#field = field;
  }

  async read(request: ApiRequest): Promise<void> {
    const parser = this.#parser(request.header("content-type") ?? "");
    try {
      await pipeline(Readable.from(request.chunks()), parser, { signal: this.#stop.signal });
      await this.#receiving;
    } catch (error) {
      throw this.#failure ?? (error instanceof Refusal ? error : malformed("it ends too soon"));
    }
    if (this.#failure) throw this.#failure;
  }

  async discard(): Promise<void> {
    // If the request broke off, nothing else would end it.
    this.#stream?.destroy();
    await this.#receiving;
    await this.file?.receiver.discard();
  }

  #parser(contentType: string) {
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        isPartAFile: (name) => name === "file",
        preservePath: true,
        limits: { parts: 10, headerPairs: 20, headerSize: 16_384, fieldSize: bodyLimitBytes },
      });
    } catch {
      throw malformed("its content-type names no boundary");
    }
    parser.on("field", (name, value, _nameCut, isCut) => {
      if (name !== "data") this.#fail(unknownPart(name));
      else if (isCut) this.#fail(invalid({ path: "data", message: "must be at most one mebibyte" }));
      else if (this.data !== null) this.#fail(invalid({ path: "data", message: "must be one part" }));
      else this.data = value;
    });
    parser.on("file", (_name, stream, fileName, _encoding, contentType) => {
      // Otherwise a stream that is no longer read would emit a second, unhandled error.
      stream.on("error", () => undefined);
      if (this.#receiving) return this.#fail(invalid({ path: "file", message: "must be one file" }));
      this.#stream = stream;
      this.#receiving = this.#receive(stream, fileName, contentType).catch((error) => this.#fail(error));
    });
    return parser;
  }

  async #receive(stream: BusboyFileStream, fileName: string | undefined, contentType: string) {
    const receiver = await Receiver.open(this.#field.limitBytes);
    this.file = { fileName: fileName ?? "", contentType: claimed(contentType), receiver };
    for await (const chunk of stream) await receiver.write(chunk);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
  }
}

const unknownPart = (name: string) =>
  invalid({ path: name.slice(0, 100), message: "is not a part of this form, which has `file` and `data`" });

/** Parts without a type are text/plain by the form standard, so that type claims nothing. */
const claimed = (type: string) => (type === "text/plain" ? "application/octet-stream" : type);
