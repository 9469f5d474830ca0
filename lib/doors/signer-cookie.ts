/** The cookie of a signer's visit. Its name holds the signer's id, so that two links in one browser do not mix. */
import { cookieIn, isSecure } from "./session-cookie.ts";

const wellFormed = /^sgn_[0-9a-z]{26}$/;

function nameOf(signerId: string): string {
  return `${isSecure() ? "__Host-" : ""}countersign.${signerId}`;
}

export function readSignerCookie(header: string | undefined, signerId: string): string | undefined {
  return wellFormed.test(signerId) ? cookieIn(header ?? "", nameOf(signerId)) : undefined;
}

/** For set-cookie. The server ends a visit; the browser forgets it when it is closed. */
export function signerCookie(signerId: string, value: string): string {
  return `${nameOf(signerId)}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure() ? "; Secure" : ""}`;
}
