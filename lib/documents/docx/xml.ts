/** Parses the XML of a DOCX piece by piece, and rejects malformed XML. Runs only in the child process. */
import { SaxesParser } from "saxes";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";

/** An element and its attributes, by names without prefix. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
}

export interface Handlers {
  opened?(element: Element): void;
  closed?(name: string): void;
  text?(text: string): void;
}

export interface XmlReader {
  push(bytes: Uint8Array): void;
  /** The part has ended, so its XML must be complete. */
  finish(): void;
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

/** Reads the XML of a part. Throws UnacceptableFile if it is truncated or malformed. */
export function xmlReader(part: string, handlers: Handlers = {}): XmlReader {
  const damaged = () =>
    new UnacceptableFile(
      `is damaged: its part ${part} is cut off, or is not XML; repair it in Word and save it again`,
    );
  const parser = new SaxesParser({ position: false });
  parser.on("error", () => {
    throw damaged();
  });
  if (handlers.opened) {
    parser.on("opentag", ({ name, attributes }) => {
      const named = Object.entries(attributes).map(([key, value]) => [localName(key), value]);
      handlers.opened?.({ name: localName(name), attributes: Object.fromEntries(named) });
    });
  }
  if (handlers.closed) parser.on("closetag", ({ name }) => handlers.closed?.(localName(name)));
  if (handlers.text) {
    parser.on("text", (text) => handlers.text?.(text));
    parser.on("cdata", (text) => handlers.text?.(text));
  }
  let decoder: TextDecoder | undefined;
  const decode = (bytes?: Uint8Array) => {
    try {
      decoder ??= new TextDecoder(encodingOf(bytes ?? new Uint8Array()), { fatal: true });
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw damaged();
    }
  };
  return {
    push: (bytes) => {
      parser.write(decode(bytes));
    },
    finish() {
      parser.write(decode()).close();
    },
  };
}

/** The two that the format allows: https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? "utf-16be" : "utf-8";
}
