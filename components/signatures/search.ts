/** The query of the list of signature requests, as written in the address. */
import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { InputOf } from "#lib/doors/client.ts";
import { envelopeStatuses } from "#lib/signatures/lifecycle.ts";

export const signatureSorts = ["createdAt", "updatedAt", "completedAt"] as const;

export const signatureParsers = {
  q: parseAsString.withDefault(""),
  status: parseAsNativeArrayOf(parseAsStringLiteral(envelopeStatuses)),
  sort: parseAsStringLiteral(signatureSorts).withDefault("createdAt"),
  dir: parseAsStringLiteral(["asc", "desc"]).withDefault("desc"),
  page: parseAsInteger.withDefault(1),
};

export const loadSignatureSearch = createLoader(signatureParsers);

export function signatureQuery({
  q,
  status,
  page,
  sort,
  dir,
}: inferParserType<typeof signatureParsers>): InputOf<"signatures.list"> {
  return {
    ...(q ? { q } : {}),
    ...(status.length > 0 ? { status } : {}),
    sort,
    dir,
    page: Math.max(1, page),
  };
}
