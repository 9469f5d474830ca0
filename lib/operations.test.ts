import { expect, test } from "@playwright/test";
import { type AnyOperation, onlyReads } from "./core/operation.ts";
import { namedOperations, signerOperations } from "./operations.ts";
import { routes } from "./routes.ts";

/** Written by hand: an operation that asks for too little must not be right because it says so itself. */
const operationsByScopes: Record<string, string> = {
  "contracts:read":
    "contracts.list contracts.read contracts.activity contracts.tags contracts.previewDeletion comments.list approvals.mine approvals.ofContract approvalRules.list imports.read uploads.list uploads.summary versions.list versions.download versions.progress versions.viewUrl versions.text versions.compare versions.recent previews.read customFields.list",
  "contracts:write":
    "contracts.create contracts.patch contracts.setStatus contracts.setAnchors contracts.setStatusOfMany contracts.setArchivedOfMany contracts.tagMany contracts.remove comments.add comments.reply comments.edit comments.resolve comments.reopen comments.remove approvals.request approvals.approve approvals.sendBack approvals.delegate approvals.withdraw uploads.add uploads.send uploads.createDuplicate uploads.skip uploads.clear imports.discard versions.create versions.retry proposals.ofDocument",
  "contracts:read obligations:read":
    "contracts.previewAnchors obligations.preview proposals.list proposals.places",
  "contracts:write counterparties:write":
    "contracts.setCounterparty imports.create imports.check imports.start",
  "contracts:write obligations:read": "proposals.acceptDate proposals.rejectDate",
  "contracts:write templates:read": "templates.makeContract",
  "contracts:read templates:read": "templates.use",
  "contracts:read counterparties:read": "counterparties.read",
  "contracts:read counterparties:read signatures:read templates:read": "search.jump",
  "contracts:read search:read": "search.clauses",
  "contracts:read obligations:read signatures:read": "home.summary",
  "counterparties:read": "counterparties.list contacts.list",
  "counterparties:write":
    "counterparties.create counterparties.patch counterparties.setNotes contacts.create contacts.patch contacts.remove",
  "obligations:read": "obligations.list obligations.listOfContract obligations.read",
  "contracts:read counterparties:read obligations:read": "obligations.agenda obligations.calendar",
  "obligations:write": "obligations.create obligations.patch obligations.patchMany",
  "templates:read":
    "templates.list templates.read templates.listAll templates.readSettings templates.history templates.documentUrl templates.check templates.preview templates.preparePreview",
  "templates:write":
    "templates.upload templates.replaceDocument templates.saveSettings templates.archive templates.restore",
  "signatures:read":
    "signatures.list signatures.listOfContract signatures.read signatures.events signatures.pdf signatures.progress signatures.check",
  "signatures:write":
    "signatures.createDraft signatures.updateDraft signatures.placeAnchors signatures.send signatures.discardDraft signatures.duplicateAsDraft signatures.remind signatures.correctSigner signatures.extend signatures.void signatures.end signatures.copyLink signatures.openOwnLink signatures.retrySealing",
  "members:read": "members.list invitations.list workspace.read notifications.defaults",
  "members:write":
    "members.setRole members.remove members.holdings invitations.create invitations.revoke invitations.resend",
  "workspace:write":
    "workspace.patch assistants.setPolicy notifications.saveDefaults approvalRules.create approvalRules.update approvalRules.remove customFields.create customFields.patch customFields.remove",
  "keys:read": "apiKeys.list apiKeys.usage",
  "keys:write": "apiKeys.create apiKeys.revoke",
  "webhooks:read":
    "webhookEndpoints.list webhookEndpoints.read webhookEndpoints.deliveries webhookEndpoints.inspectDelivery",
  "webhooks:write":
    "webhookEndpoints.create webhookEndpoints.patch webhookEndpoints.remove webhookEndpoints.rotateSecret webhookEndpoints.test webhookEndpoints.redeliver webhookEndpoints.recover",
  "audit:read": "auditEvents.list",
  "analytics:read": "analytics.summary",
  // What every member may do for themselves alone.
  "": "savedFilters.list savedFilters.save savedFilters.remove assistants.list assistants.revoke notifications.list notifications.unread notifications.mark notifications.settings notifications.saveSettings",
};

test("each workspace operation requires exactly the scopes in the hand-written table", () => {
  const wanted = Object.entries(operationsByScopes).flatMap(([scopes, names]) =>
    names.split(" ").map((name) => `${name}: ${scopes}`),
  );
  const asked = namedOperations()
    .filter(([, { door }]) => door === "member")
    .map(([name, { operation }]) => `${name}: ${[...operation.scopes].sort().join(" ")}`);
  expect(asked.sort()).toEqual(wanted.sort());
});

test("operations that need no membership are exactly those listed for people, visitors and signers", () => {
  const others = namedOperations().filter(([, { door }]) => door !== "member");
  const namespaces = new Set(others.map(([name, { door }]) => `${door} ${name.split(".")[0]}`));
  expect([...namespaces].sort()).toEqual([
    "person assistantRequests",
    "person calendarFeed",
    "person profile",
    "person sessions",
    "person workspaces",
    "visitor account",
    "visitor unsubscription",
    "visitor verification",
  ]);
  const signing =
    "adoptSignature consent decline delegate document download finish picture poll previewSignature requestCode saveValues state verifyCode";
  expect(Object.keys(signerOperations.visit).sort()).toEqual(signing.split(" "));
  expect(Object.keys(signerOperations.link), "whoever has a link alone can do nothing else").toEqual([
    "open",
  ]);
});

test("exactly seven operations may be answered by a read replica, and all of them are cacheable", () => {
  const lagging = namedOperations().filter(([, { operation }]) => operation.mayUseReplica);
  expect(lagging.map(([name]) => name).sort()).toEqual([
    "analytics.summary",
    ...["contracts.list", "counterparties.list", "counterparties.read"],
    ...["obligations.agenda", "obligations.calendar", "obligations.list"],
  ]);
  expect(lagging.filter(([, { operation }]) => !operation.cacheable)).toEqual([]);
});

test("no POST of the REST API is a read, so that an Idempotency-Key always replays its response", () => {
  const posts = Object.entries<AnyOperation>(routes).filter(([route]) => route.startsWith("POST "));
  expect(posts.length).toBeGreaterThan(10);
  expect(posts.filter(([, operation]) => onlyReads(operation)).map(([route]) => route)).toEqual([]);
});
