/** ZIP archives that no software would create, and the parts of a valid DOCX. */
import { crc32, deflateRawSync } from "node:zlib";

export interface Member {
  name: string;
  bytes: Buffer | string;
  /** Already deflated, with the given size and checksum. */
  packed?: { bytes: Buffer; size: number; crc: number };
  /** The size that the headers falsely state. */
  saysSize?: number;
  isEncrypted?: boolean;
  isStored?: boolean;
}

export function pack(bytes: Buffer) {
  return { bytes: deflateRawSync(bytes, { level: 9 }), size: bytes.length, crc: crc32(bytes) };
}

export function zipOf(members: Member[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, packed, saysSize, isEncrypted, isStored } of members) {
    const plain = Buffer.from(bytes as string);
    const data = packed ?? (isStored ? { bytes: plain, size: plain.length, crc: crc32(plain) } : pack(plain));
    const path = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(data.crc, 10);
    fields.writeUInt32LE(data.bytes.length, 14);
    fields.writeUInt32LE(saysSize ?? data.size, 18);
    fields.writeUInt16LE(path.length, 22);
    const header = Buffer.concat([Buffer.from("PK\x03\x04"), fields, path]);
    local.push(header, data.bytes);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), fields, tail, path]));
    offset += header.length + data.bytes.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\x05\x06"), end]);
}

const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export const contentTypes = (type = main): Member => ({
  name: "[Content_Types].xml",
  bytes: `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
});

export const relations: Member = {
  name: "_rels/.rels",
  bytes: `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
};

export const documentPart = (text: string, before = ""): Member => ({
  name: "word/document.xml",
  bytes: `${xml}${before}<w:document ${word}><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
});

/** A valid DOCX with one paragraph, and any additional members. */
export const docxOf = (text: string, more: Member[] = []): Buffer =>
  zipOf([contentTypes(), relations, documentPart(text), ...more]);
