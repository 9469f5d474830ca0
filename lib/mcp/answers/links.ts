/** Links to the pages of the web app for what results mention. */
import { settings } from "#lib/core/env.ts";

/** The URL of a page, from its path and query. */
export const linkAt = (path: string) => settings().BASE_URL + path;

const at = (...path: string[]) => `${settings().BASE_URL}/${path.map(encodeURIComponent).join("/")}`;

export const linkTo = {
  contract: (id: string) => at("contracts", id),
  version: (contractId: string, id: string, page?: number) =>
    `${at("contracts", contractId, "versions", id)}${page ? `?page=${page}` : ""}`,
  comparison: (contractId: string, from: string, to: string) =>
    `${at("contracts", contractId, "compare")}?from=${from}&to=${to}`,
  counterparty: (id: string) => at("counterparties", id),
  signatureRequest: (id: string) => at("signatures", id),
  template: (id: string) => at("templates", id),
  auditLog: () => at("settings", "audit"),
  home: () => at("home"),
};
