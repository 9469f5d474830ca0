/** What went wrong with an outbound request, in words that its owner can use. */

/** A target that must not be reached. `message` says why, as what the URL must or must not be. */
export class EgressRefused extends Error {
  override name = "EgressRefused";
}

const unknownAuthority = "the certificate is not from a known authority";
const selfSigned = "the certificate is self-signed";
const closed = "the connection was closed before the answer was complete";
const unreachable = "the host cannot be reached";
const connectTimeOut = "time-out while connecting";
const unresolved = "the name could not be resolved";
const noName = "the name does not exist";

const words: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: connectTimeOut,
  UND_ERR_CONNECT_TIMEOUT: connectTimeOut,
  ENOTFOUND: noName,
  ENODATA: noName,
  EAI_AGAIN: unresolved,
  ESERVFAIL: unresolved,
  ETIMEOUT: unresolved,
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  CERT_REVOKED: "the certificate is revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too long",
};

/** As the client for HTTP names it; its class would bring all of the client along. */
const isNotHttp = (error: unknown) => error instanceof Error && error.name === "HTTPParserError";

/** A short message for what a connection throws; the error itself is its cause. */
export function connectionError(error: unknown): Error {
  if (error instanceof EgressRefused) return error;
  if (isNotHttp(error)) return new Error("the answer is not HTTP", { cause: error });
  const code = codeOf(error);
  return new Error(words[code] ?? familyOf(code), { cause: error });
}

function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (typeof code === "string") return code;
  return errors?.length ? codeOf(errors[0]) : "";
}

function familyOf(code: string): string {
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return "the TLS connection could not be made";
  return code ? `the request failed (${code})` : "the request failed";
}
