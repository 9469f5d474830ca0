/** The key with which a workspace seals: created here, or from a PKCS#12 file issued by a trust service. */
import { createPrivateKey, generateKeyPairSync, hash, randomBytes, sign, X509Certificate } from "node:crypto";
import * as asn1js from "asn1js";
import * as pkijs from "pkijs";

export interface SealingKey {
  /** DER: the key's own first, then the chain to its root. */
  certificates: Uint8Array[];
  /** PKCS#8, DER. */
  privateKey: Uint8Array;
}

/** The message is for the operator. */
export class BadSigningKey extends Error {
  override name = "BadSigningKey";
}

const oids = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extKeyUsage: "2.5.29.37",
  subjectKeyIdentifier: "2.5.29.14",
  /** RFC 9336. */
  documentSigning: "1.3.6.1.5.5.7.3.36",
};

const years = 10;

/** A P-256 key and a self-signed certificate, valid only for sealing documents. */
export function createSigningKey(owner: {
  organizationId: string;
  organizationName: string;
  at?: Date;
}): SealingKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const certificate = new pkijs.Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1js.Integer({ valueHex: toArrayBuffer(serialNumber()) });
  const subject = subjectOf(owner.organizationId, owner.organizationName);
  certificate.subject = subject;
  certificate.issuer = subject;
  const from = owner.at ?? new Date();
  // A minute early, for clocks that are slightly behind.
  certificate.notBefore.value = new Date(from.getTime() - 60_000);
  certificate.notAfter.value = new Date(
    Date.UTC(from.getUTCFullYear() + years, from.getUTCMonth(), from.getUTCDate()),
  );
  certificate.subjectPublicKeyInfo = pkijs.PublicKeyInfo.fromBER(toArrayBuffer(spki));
  certificate.extensions = extensions(spki);
  const algorithm = new pkijs.AlgorithmIdentifier({ algorithmId: oids.ecdsaWithSha256 });
  certificate.signature = algorithm;
  certificate.signatureAlgorithm = algorithm;
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER(false));
  const signature = sign("sha256", certificate.tbsView, privateKey);
  certificate.signatureValue = new asn1js.BitString({ valueHex: toArrayBuffer(signature) });
  return {
    certificates: [new Uint8Array(certificate.toSchema(true).toBER(false))],
    privateKey: new Uint8Array(privateKey.export({ type: "pkcs8", format: "der" })),
  };
}

/**
 * 127 random bits; the first bit is 0 because serial numbers are positive, and the second 1 so that there are no
 * leading zeros.
 */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}

function subjectOf(organizationId: string, organizationName: string): pkijs.RelativeDistinguishedNames {
  // X.520 allows 64 characters for each.
  const name = [...organizationName].slice(0, 64).join("");
  const values: [string, string][] = [
    [oids.organizationName, name],
    [oids.organizationIdentifier, organizationId],
    [
      oids.commonName,
      [...`${organizationName} document seal`].length <= 64 ? `${organizationName} document seal` : name,
    ],
  ];
  const parts = values.map(([type, value]) => {
    const attribute = new pkijs.AttributeTypeAndValue({ type, value: new asn1js.Utf8String({ value }) });
    return new asn1js.Set({ value: [attribute.toSchema()] });
  });
  // Parsed back, because pkijs encodes a name that it built itself as a single set instead of one per part.
  return pkijs.RelativeDistinguishedNames.fromBER(new asn1js.Sequence({ value: parts }).toBER(false));
}

function extensions(spki: Uint8Array): pkijs.Extension[] {
  const extension = (extnID: string, critical: boolean, value: asn1js.BaseBlock) =>
    new pkijs.Extension({ extnID, critical, extnValue: value.toBER(false) });
  // digitalSignature and nonRepudiation: the first two of nine bits.
  const usage = new asn1js.BitString({ valueHex: new Uint8Array([0b1100_0000]).buffer, unusedBits: 6 });
  const purpose = new asn1js.Sequence({
    value: [new asn1js.ObjectIdentifier({ value: oids.documentSigning })],
  });
  const keyId = new asn1js.OctetString({
    valueHex: toArrayBuffer(hash("sha256", spki, "buffer").subarray(0, 20)),
  });
  return [
    extension(oids.basicConstraints, true, new asn1js.Sequence()),
    extension(oids.keyUsage, true, usage),
    extension(oids.extKeyUsage, false, purpose),
    extension(oids.subjectKeyIdentifier, false, keyId),
  ];
}

/** The key and the certificates of a PKCS#12 file (.p12, .pfx), valid for sealing at `at`. Throws BadSigningKey. */
export async function readPkcs12(file: Uint8Array, password: string, at = new Date()): Promise<SealingKey> {
  try {
    return checked(await openPkcs12(file, password), at);
  } catch (cause) {
    if (cause instanceof BadSigningKey) throw cause;
    throw new BadSigningKey("The PKCS#12 file cannot be opened: it is damaged, or the password is wrong.", {
      cause,
    });
  }
}

/** pkijs keeps the step that decrypts a key private, and offers no other way to it. */
class KeyBag extends pkijs.PKCS8ShroudedKeyBag {
  open(password: ArrayBuffer): Promise<void> {
    return this.parseInternalValues({ password });
  }
}

async function openPkcs12(file: Uint8Array, password: string): Promise<SealingKey> {
  const secret = toArrayBuffer(new TextEncoder().encode(password));
  const pfx = pkijs.PFX.fromBER(toArrayBuffer(file));
  await pfx.parseInternalValues({ password: secret, checkIntegrity: true });
  const safe = pfx.parsedValue!.authenticatedSafe!;
  await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password: secret })) });
  const bags = safe.parsedValue.safeContents.flatMap(
    ({ value }: { value: pkijs.SafeContents }) => value.safeBags,
  );
  const keys: Uint8Array[] = [];
  const certificates: Uint8Array[] = [];
  for (const { bagValue } of bags) {
    if (bagValue instanceof pkijs.PKCS8ShroudedKeyBag) {
      const bag = new KeyBag({ schema: bagValue.toSchema() });
      await bag.open(secret);
      keys.push(new Uint8Array(bag.parsedValue!.toSchema().toBER(false)));
    } else if (bagValue instanceof pkijs.PrivateKeyInfo) {
      keys.push(new Uint8Array(bagValue.toSchema().toBER(false)));
    } else if (bagValue instanceof pkijs.CertBag && bagValue.parsedValue instanceof pkijs.Certificate) {
      certificates.push(new Uint8Array(bagValue.parsedValue.toSchema().toBER(false)));
    }
  }
  if (keys.length !== 1)
    throw new BadSigningKey(`The PKCS#12 file holds ${keys.length} keys instead of one.`);
  return { certificates, privateKey: keys[0]! };
}

/** The key's certificate first, then its issuers in order; unrelated certificates are dropped. */
function checked({ certificates, privateKey }: SealingKey, at: Date): SealingKey {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  const isFit =
    (key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1") ||
    (key.asymmetricKeyType === "rsa" && key.asymmetricKeyDetails!.modulusLength! >= 2048);
  if (!isFit) throw new BadSigningKey("The key must be ECDSA P-256, or RSA of at least 2,048 bits.");
  const all = certificates.map((der) => new X509Certificate(der));
  const chain = all.filter((one) => one.checkPrivateKey(key)).slice(0, 1);
  if (chain.length === 0) throw new BadSigningKey("The PKCS#12 file holds no certificate for its key.");
  for (;;) {
    const last = chain.at(-1)!;
    const issuer = all.find(
      (one) => !chain.includes(one) && last.checkIssued(one) && last.verify(one.publicKey),
    );
    if (!issuer) break;
    chain.push(issuer);
  }
  for (const one of chain) checkTime(one, at);
  return { certificates: chain.map(({ raw }) => new Uint8Array(raw)), privateKey };
}

/** A seal made outside its certificate's validity is invalid to everyone. */
function checkTime({ raw, validFromDate, validToDate }: X509Certificate, at: Date): void {
  const { name, notBefore, notAfter } = describeCertificate(raw);
  if (at > validToDate)
    throw new BadSigningKey(`The certificate "${name}" expired on ${notAfter}: set a file with a new one.`);
  if (at < validFromDate)
    throw new BadSigningKey(
      `The certificate "${name}" is not valid before ${notBefore}: wait until then, or check this machine's clock.`,
    );
}

/** When the first certificate of the chain expires. */
export function expiryOf({ certificates }: SealingKey): Date {
  const expiries = certificates.map((der) => new X509Certificate(der).validToDate.getTime());
  return new Date(Math.min(...expiries));
}

export interface CertificateSummary {
  /** SHA-256 of the DER, in hex. */
  fingerprint: string;
  /** The subject's common name, or the whole subject if it has none. */
  name: string;
  subject: string;
  issuer: string;
  serialNumber: string;
  notBefore: string;
  notAfter: string;
}

export function describeCertificate(der: Uint8Array): CertificateSummary {
  const { subject, issuer, serialNumber: serial, validFromDate, validToDate } = new X509Certificate(der);
  return {
    fingerprint: hash("sha256", der, "hex"),
    name: /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.split("\n").join(", "),
    subject: subject.split("\n").join(", "),
    issuer: issuer.split("\n").join(", "),
    serialNumber: serial.toLowerCase(),
    notBefore: validFromDate.toISOString(),
    notAfter: validToDate.toISOString(),
  };
}

/** A buffer of exactly these bytes, as the ASN.1 libraries require. */
export function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
