/** RFC 3161 time-stamps: a trusted clock's statement that a signature existed at a time. */
import { hash, randomBytes, X509Certificate } from "node:crypto";
import * as asn1js from "asn1js";
import * as pkijs from "pkijs";
import { oids, readCms, verifySignedData } from "./cms.ts";
import { toArrayBuffer } from "./signing-key.ts";

/** The request to the authority, and the nonce that its response must contain. */
export interface TimestampRequest {
  body: Uint8Array;
  nonce: Buffer;
}

export function timestampRequest(signature: Uint8Array): TimestampRequest {
  const nonce = randomBytes(16);
  // Positive and without leading zeros, so that it comes back unchanged.
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({
        algorithmId: oids.sha256,
        algorithmParams: new asn1js.Null(),
      }),
      hashedMessage: new asn1js.OctetString({ valueHex: toArrayBuffer(hash("sha256", signature, "buffer")) }),
    }),
    nonce: new asn1js.Integer({ valueHex: toArrayBuffer(nonce) }),
    certReq: true,
  });
  return { body: new Uint8Array(request.toSchema().toBER(false)), nonce };
}

/** The token in an authority's response. Throws an Error that says why there is none or why it does not match. */
export function parseTimestampResponse(
  answer: Uint8Array,
  signature: Uint8Array,
  { nonce }: TimestampRequest,
): Uint8Array {
  const response = pkijs.TimeStampResp.fromBER(toArrayBuffer(answer));
  const { status } = response.status;
  if (status > 1 || !response.timeStampToken) {
    throw new Error(`the time-stamp authority refused with status ${status}`);
  }
  const token = new Uint8Array(response.timeStampToken.toSchema().toBER(false));
  const read = readToken(token, signature);
  if (!read.isValid) throw new Error("the time-stamp is not over this signature");
  const returned = Buffer.from(read.info.nonce?.valueBlock.valueHexView ?? new Uint8Array());
  if (!returned.equals(nonce)) throw new Error("the time-stamp is an answer to another request");
  return token;
}

interface ReadToken {
  info: pkijs.TSTInfo;
  /** By the authority's own clock. */
  time: Date;
  /** Who issued it, as named in its certificate. */
  authority: string;
  /** Whether it is over this signature, and validly signed by a certificate for time-stamping. */
  isValid: boolean;
}

const timestamping = "1.3.6.1.5.5.7.3.8";

export function readToken(token: Uint8Array, signature: Uint8Array): ReadToken {
  const cms = readCms(token);
  const { eContentType, eContent } = cms.signedData.encapContentInfo;
  const content = eContent && Buffer.from(eContent.getValue());
  if (eContentType !== oids.tstInfo || !content) throw new Error("it holds no time-stamp");
  const info = pkijs.TSTInfo.fromBER(toArrayBuffer(content));
  const imprint = Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView);
  const isOverSignature =
    info.messageImprint.hashAlgorithm.algorithmId === oids.sha256 &&
    imprint.equals(hash("sha256", signature, "buffer"));
  const signed = verifySignedData(cms, (algorithm) => hash(algorithm, content, "buffer"));
  const certificate = new X509Certificate(cms.certificates[0]!);
  const isValidThen = certificate.validFromDate <= info.genTime && info.genTime <= certificate.validToDate;
  const isForTime = certificate.keyUsage?.includes(timestamping) ?? false;
  return {
    info,
    time: info.genTime,
    authority: certificate.subject.split("\n").join(", "),
    isValid: isOverSignature && signed.digest && signed.signature && isValidThen && isForTime,
  };
}
