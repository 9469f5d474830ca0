/**
 * The signature inside a seal: CMS SignedData, detached, with exactly the signed attributes of the PAdES baseline
 * (ETSI EN 319 142-1); in particular without signing-time, which it forbids.
 */
import { createPrivateKey, hash, sign, verify, X509Certificate } from "node:crypto";
import * as asn1js from "asn1js";
import * as pkijs from "pkijs";
import { type SealingKey, toArrayBuffer } from "./signing-key.ts";

export const oids = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timestampToken: "1.2.840.113549.1.9.16.2.14",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  sha256: "2.16.840.1.101.3.4.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  rsaWithSha256: "1.2.840.113549.1.1.11",
} as const;

interface Parts {
  /** DER, the signer's first. */
  certificates: Uint8Array[];
  /** SHA-256 of the sealed bytes. */
  digest: Uint8Array;
  signature: Uint8Array;
  /** An RFC 3161 token over the signature. */
  timestampToken: Uint8Array | null;
}

/** Signs a SHA-256 digest. `timestamp` is given the signature and returns a token over it. */
export async function signDigest(
  digest: Uint8Array,
  key: SealingKey,
  timestamp?: (signature: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { certificates } = key;
  const attributes = signedAttributes(certificates[0]!, digest);
  const signature = signWithFixedSize(key.privateKey, derOf(setOf(attributes)));
  const timestampToken = timestamp ? await timestamp(signature) : null;
  return assemble({ certificates, digest, signature, timestampToken });
}

/**
 * An ECDSA signature in DER has 70 to 72 bytes. Insisting on 71, the most likely, makes a seal's size known in
 * advance, so that no unused bytes remain that could be changed unnoticed.
 */
function signWithFixedSize(privateKey: Uint8Array, data: Uint8Array): Uint8Array {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  for (;;) {
    const signature = sign("sha256", data, key);
    if (key.asymmetricKeyType !== "ec" || signature.length === ecdsaBytes) return signature;
  }
}

const ecdsaBytes = 71;

/** The size in bytes of a seal without a time-stamp. */
export function sealSize({ certificates, privateKey }: SealingKey): number {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  const bytes = key.asymmetricKeyType === "ec" ? ecdsaBytes : key.asymmetricKeyDetails!.modulusLength! / 8;
  const [digest, signature] = [new Uint8Array(32), new Uint8Array(bytes)];
  return assemble({ certificates, digest, signature, timestampToken: null }).length;
}

/** The only way in which a seal with these parts is encoded, so a verifier can compare byte by byte. */
export function assemble({ certificates, digest, signature, timestampToken }: Parts): Uint8Array {
  const parsed = certificates.map((der) => pkijs.Certificate.fromBER(toArrayBuffer(der)));
  const own = parsed[0]!;
  const isEc = new X509Certificate(certificates[0]!).publicKey.asymmetricKeyType === "ec";
  const signerInfo = new pkijs.SignerInfo({
    version: 1,
    sid: new pkijs.IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: oids.sha256 }),
    signatureAlgorithm: new pkijs.AlgorithmIdentifier(
      isEc
        ? { algorithmId: oids.ecdsaWithSha256 }
        : { algorithmId: oids.rsaWithSha256, algorithmParams: new asn1js.Null() },
    ),
    signedAttrs: new pkijs.SignedAndUnsignedAttributes({
      type: 0,
      attributes: signedAttributes(certificates[0]!, digest),
    }),
    signature: new asn1js.OctetString({ valueHex: toArrayBuffer(signature) }),
  });
  if (timestampToken) {
    const { result } = asn1js.fromBER(toArrayBuffer(timestampToken));
    signerInfo.unsignedAttrs = new pkijs.SignedAndUnsignedAttributes({
      type: 1,
      attributes: [new pkijs.Attribute({ type: oids.timestampToken, values: [result] })],
    });
  }
  const signedData = new pkijs.SignedData({
    version: 1,
    digestAlgorithms: [new pkijs.AlgorithmIdentifier({ algorithmId: oids.sha256 })],
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: oids.data }),
    certificates: parsed,
    signerInfos: [signerInfo],
  });
  const content = new pkijs.ContentInfo({ contentType: oids.signedData, content: signedData.toSchema(true) });
  return derOf(content.toSchema());
}

/** Ordered by their encodings, as DER orders a set. */
function signedAttributes(certificate: Uint8Array, digest: Uint8Array): pkijs.Attribute[] {
  const octets = (bytes: Uint8Array) => new asn1js.OctetString({ valueHex: toArrayBuffer(bytes) });
  const sequence = (...value: asn1js.BaseBlock[]) => new asn1js.Sequence({ value });
  // No hash algorithm means SHA-256 (RFC 5035), and DER omits defaults.
  const certificateId = sequence(octets(hash("sha256", certificate, "buffer")));
  const attributes = [
    new pkijs.Attribute({
      type: oids.contentType,
      values: [new asn1js.ObjectIdentifier({ value: oids.data })],
    }),
    new pkijs.Attribute({ type: oids.messageDigest, values: [octets(digest)] }),
    new pkijs.Attribute({ type: oids.signingCertificateV2, values: [sequence(sequence(certificateId))] }),
  ];
  const encoded = new Map(attributes.map((one) => [one, Buffer.from(derOf(one.toSchema()))]));
  return attributes.sort((a, b) => Buffer.compare(encoded.get(a)!, encoded.get(b)!));
}

const setOf = (attributes: pkijs.Attribute[]) =>
  new asn1js.Set({ value: attributes.map((attribute) => attribute.toSchema()) });

const derOf = (block: asn1js.BaseBlock) => new Uint8Array(block.toBER(false));

export interface ReadCms {
  signedData: pkijs.SignedData;
  signerInfo: pkijs.SignerInfo;
  /** The signer's first; DER. */
  certificates: Uint8Array[];
  /** How many of the input's bytes it takes. */
  size: number;
}

/** Reads a CMS SignedData with one signer whose certificate is included. Throws if it is anything else. */
export function readCms(bytes: Uint8Array): ReadCms {
  const { offset, result } = asn1js.fromBER(toArrayBuffer(bytes));
  if (offset < 0) throw new Error("it is not ASN.1");
  const content = new pkijs.ContentInfo({ schema: result });
  if (content.contentType !== oids.signedData) throw new Error("it is not CMS signed data");
  const signedData = new pkijs.SignedData({ schema: content.content });
  const [signerInfo, ...others] = signedData.signerInfos;
  if (!signerInfo || others.length > 0) throw new Error("it does not have one signer");
  const all = (signedData.certificates ?? []).filter((one) => one instanceof pkijs.Certificate);
  const { sid } = signerInfo;
  const own = all.find((one) =>
    sid instanceof pkijs.IssuerAndSerialNumber
      ? one.issuer.isEqual(sid.issuer) && one.serialNumber.isEqual(sid.serialNumber)
      : false,
  );
  if (!own) throw new Error("the signer's certificate is not included");
  const certificates = [own, ...all.filter((one) => one !== own)].map((one) => derOf(one.toSchema()));
  // Throws if OpenSSL, which is stricter than this parser, cannot read its key.
  if (!new X509Certificate(certificates[0]!).publicKey)
    throw new Error("the signer's certificate has no key");
  return { signedData, signerInfo, certificates, size: offset };
}

/** The value of a signed attribute; null unless it is there exactly once. */
export function findAttribute(
  { signedAttrs, unsignedAttrs }: pkijs.SignerInfo,
  type: string,
): asn1js.BaseBlock | null {
  const all = [...(signedAttrs?.attributes ?? []), ...(unsignedAttrs?.attributes ?? [])];
  const found = all.filter((one) => one.type === type);
  return found.length === 1 && found[0]!.values.length === 1 ? found[0]!.values[0] : null;
}

export const octetsOf = (block: asn1js.BaseBlock | null): Buffer | null =>
  block instanceof asn1js.OctetString ? Buffer.from(block.valueBlock.valueHexView) : null;

const hashes: Record<string, string> = {
  [oids.sha256]: "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

const hashName = (oid: string): string | null => hashes[oid] ?? null;

/** Whether the signer signed a content: its digest is the signed one, and the signature matches the certificate. */
export function verifySignedData(
  { signerInfo, certificates }: ReadCms,
  digestWith: (algorithm: string) => Uint8Array,
) {
  const algorithm = hashName(signerInfo.digestAlgorithm.algorithmId);
  const signed = signerInfo.signedAttrs;
  if (!algorithm || !signed) return { digest: false, signature: false };
  const digest =
    octetsOf(findAttribute(signerInfo, oids.messageDigest))?.equals(digestWith(algorithm)) ?? false;
  const { publicKey } = new X509Certificate(certificates[0]!);
  // As encoded in the file, except for the tag: a set, as it was when signed.
  const data = Buffer.from(signed.encodedValue);
  data[0] = 0x31;
  const signature = Buffer.from(signerInfo.signature.valueBlock.valueHexView);
  return { digest, signature: verify(algorithm, data, publicKey, signature) };
}
