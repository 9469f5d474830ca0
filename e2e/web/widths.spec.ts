/** No page scrolls sideways at 320 px or more, whatever the names in it. */
import type { Page } from "@playwright/test";
import { createCustomField } from "#lib/custom-fields/custom-fields.ts";
import type { Workspace } from "../fixtures.ts";
import { pdf } from "../signing.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** Realistic names: one long word, a long sentence, a script without spaces. */
const names = {
  word: "Rahmendienstleistungsvertragsverlängerungsvereinbarung".repeat(3),
  sentence:
    "Master services agreement for managed infrastructure, platform engineering and round-the-clock support between the group and its affiliates",
  script: "基本業務委託契約書及び個別契約に関する覚書".repeat(6),
};

/** Fills a workspace in which every name is one of these; returns the ids. */
async function fill({ api, contract, ctx, ownerId }: Workspace) {
  const domain = `${"d".repeat(60)}.example`;
  const relationshipTypes = ["CUSTOMER", "VENDOR", "PARTNER", "RESELLER"];
  const party = { name: names.word, domain, notes: `${names.word}\n${names.sentence}`, relationshipTypes };
  const { counterparty } = (await api("POST /counterparties", { body: party })).body;
  const contact = { name: names.script, email: `${"a".repeat(60)}@${"b".repeat(60)}.example` };
  await api(`POST /counterparties/${counterparty.id}/contacts`, { body: contact });
  const terms = { effectiveDate: "2026-01-01", termMonths: 12, autoRenews: true, renewalMonths: 12 };
  const value = { valueCents: "922337203685477580", valueCurrency: "EUR" };
  const contentBase64 = Buffer.from(await pdf()).toString("base64");
  const document = { fileName: `${names.word}.pdf`, contentType: "application/pdf", contentBase64 };
  const created = await api("POST /contracts", {
    body: {
      ...{ title: names.word, type: "ORDER_FORM", ourRole: "COUNTERPARTY", ownerId },
      ...{ counterpartyId: counterparty.id, ...terms, ...value, document },
    },
  });
  expect(created.status, created.text).toBe(201);
  const contractId: string = created.body.contract.id;
  const field = { key: "k".repeat(40), name: names.word, type: "choice" as const };
  await createCustomField(ctx, {
    ...field,
    options: [names.script.slice(0, 100), names.sentence.slice(0, 100)],
  });
  await createCustomField(ctx, { key: "note", name: names.script, type: "text", options: [] });
  const customFields = { [field.key]: names.script.slice(0, 100), note: names.word };
  await api(`PATCH /contracts/${contractId}`, { body: { customFields } });
  for (const title of [names.sentence, names.script])
    await contract({ title, counterpartyId: counterparty.id });
  for (const title of Object.values(names)) {
    const due = { anchorType: "FIXED_DATE", fixedDate: "2026-01-31" };
    await api("POST /obligations", { body: { contractId, kind: "TERMINATION_NOTICE", title, ...due } });
  }
  const endpoint = { url: `http://127.0.0.1:9/${"h".repeat(200)}`, description: names.word };
  const { id: endpointId } = (await api("POST /webhook-endpoints", { body: endpoint })).body.endpoint;
  await api("POST /members/invitations", { body: { email: `${"i".repeat(60)}@${"j".repeat(60)}.example` } });
  return { contractId, versionId: created.body.version.id, counterpartyId: counterparty.id, endpointId };
}

const settings = [
  "custom-fields",
  "profile",
  "plan",
  "audit",
  "workspace",
  "sessions",
  "api-keys",
  "members",
  "webhooks",
  "assistants",
  "notifications",
];

/** Returns how many pixels the page extends beyond the window. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test("no page of a workspace scrolls horizontally at 320 px or wider, whatever names it shows", async ({
  page,
  workspace,
}) => {
  test.setTimeout(300_000);
  const ids = await fill(workspace);
  await signIn(page, workspace, "owner");
  const paths = [
    ...[
      "/home",
      "/inbox",
      "/contracts",
      `/contracts?columns=note&columns=${"k".repeat(40)}&customFields.note=${names.word}`,
      "/contracts/new",
      "/contracts/upload",
      "/contracts/import",
      "/obligations",
      "/obligations/calendar",
      "/counterparties",
    ],
    ...["/templates", "/signatures", ...settings.map((name) => `/settings/${name}`)],
    ...["", `/versions/${ids.versionId}`, "/send"].map((rest) => `/contracts/${ids.contractId}${rest}`),
    ...[`/counterparties/${ids.counterpartyId}`, `/settings/webhooks/${ids.endpointId}`, "/verify", "/"],
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
    for (const width of [320, 375, 768, 1280, 1680]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sideways(page), `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test("at 1,280 px a 57-character title fits on one line, longer ones have a tooltip, and no header is cut", async ({
  page,
  workspace,
}) => {
  const title = "Statement of work for the renewal of the warehouse robots";
  await workspace.contract({ title });
  await workspace.contract({ title: names.sentence });
  await signIn(page, workspace);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/contracts");
  const isWhole = (name: string) =>
    page
      .getByRole("link", { name, exact: true })
      .evaluate((link) => link.scrollHeight <= link.clientHeight && link.scrollWidth <= link.clientWidth);
  expect(await isWhole(title)).toBe(true);
  const box = await page.getByRole("link", { name: title, exact: true }).boundingBox();
  expect(box!.height, "on one line").toBeLessThan(30);
  expect(await page.getByRole("link", { name: names.sentence }).getAttribute("title")).toBe(names.sentence);
  const heads = page.getByRole("columnheader").locator("button span");
  const cut = await heads.evaluateAll((labels) =>
    labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent),
  );
  expect(cut).toEqual([]);
  expect(await heads.count()).toBeGreaterThan(3);
});
