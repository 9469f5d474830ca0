/** Ids are a prefix and a UUIDv7 in base32 (the TypeID format), so they sort by creation time. */
import { fromUUID, typeidUnboxed } from "typeid-js";
import { v7 } from "uuid";

export const idPrefixes = {
  organization: "org",
  user: "usr",
  member: "mem",
  invitation: "inv",
  apiKey: "key",
  contract: "ctr",
  version: "ver",
  counterparty: "cp",
  contact: "con",
  obligation: "obl",
  template: "tpl",
  envelope: "env",
  signer: "sgn",
  field: "fld",
  signingEvent: "sev",
  auditEvent: "aud",
  webhookEndpoint: "whe",
  event: "evt",
  delivery: "msg",
  session: "ses",
  savedFilter: "sfl",
  checkpoint: "chk",
  assistantGrant: "agr",
  comment: "cmt",
  approval: "apr",
  approvalRule: "aru",
  customField: "cfd",
  notification: "ntf",
  upload: "upl",
  contractImport: "imp",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** A new id for something created now or at the given time. */
export function newId(kind: IdKind, at?: Date): string {
  const prefix = idPrefixes[kind];
  return at ? fromUUID(v7({ msecs: at.getTime() }), prefix) : typeidUnboxed(prefix);
}
