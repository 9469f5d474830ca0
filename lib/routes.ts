/** The public REST API: which operation answers at which method and path. What is not here is not public. */

import { auditEvents } from "#lib/audit/operations.ts";
import { contracts, versions } from "#lib/contracts/operations.ts";
import { contacts, counterparties } from "#lib/counterparties/operations.ts";
import { me } from "#lib/keys/operations.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { analytics } from "#lib/overview/analytics/operations.ts";
import { counterpartyDetails } from "#lib/overview/counterparties/operations.ts";
import { invitations, members } from "#lib/people/members/operations.ts";
import { signatures } from "#lib/signatures/requests/operations.ts";
import { templates } from "#lib/templates/operations.ts";
import { webhookEndpoints } from "#lib/webhooks/operations.ts";

export const routes = {
  "GET /me": me.read,

  "GET /contracts": contracts.list,
  "POST /contracts": contracts.create,
  "POST /contracts/from-template": templates.makeContract,
  "GET /contracts/{id}": contracts.read,
  "PATCH /contracts/{id}": contracts.patch,
  "POST /contracts/{id}/status": contracts.setStatus,
  "PUT /contracts/{id}/counterparty": contracts.setCounterparty,
  "PUT /contracts/{id}/anchors": contracts.setAnchors,
  "GET /contracts/{id}/versions": versions.list,
  "POST /contracts/{id}/versions": versions.create,
  "GET /contracts/{id}/versions/{versionId}/download": versions.download,
  "GET /contracts/{id}/obligations": obligations.listOfContract,
  "GET /contracts/{id}/signatures": signatures.listOfContract,

  "GET /counterparties": counterparties.list,
  "POST /counterparties": counterparties.create,
  "GET /counterparties/{id}": counterpartyDetails.read,
  "PATCH /counterparties/{id}": counterpartyDetails.patch,
  "PUT /counterparties/{id}/notes": counterpartyDetails.setNotes,
  "GET /counterparties/{id}/contacts": contacts.list,
  "POST /counterparties/{id}/contacts": contacts.create,
  "PATCH /counterparties/{id}/contacts/{contactId}": contacts.patch,
  "DELETE /counterparties/{id}/contacts/{contactId}": contacts.remove,

  "GET /obligations": obligations.list,
  "POST /obligations": obligations.create,
  "GET /obligations/{id}": obligations.read,
  "PATCH /obligations/{id}": obligations.patch,

  "GET /templates": templates.list,
  "GET /templates/{id}": templates.read,

  "GET /signatures": signatures.list,
  "GET /signatures/{envelopeId}": signatures.read,
  "GET /signatures/{envelopeId}/events": signatures.events,
  "GET /signatures/{envelopeId}/pdf": signatures.pdf,

  "GET /members": members.list,
  "PATCH /members/{memberId}": members.setRole,
  "GET /members/invitations": invitations.list,
  "POST /members/invitations": invitations.create,
  "DELETE /members/invitations/{id}": invitations.revoke,

  "GET /webhook-endpoints": webhookEndpoints.list,
  "POST /webhook-endpoints": webhookEndpoints.create,
  "GET /webhook-endpoints/{id}": webhookEndpoints.read,
  "PATCH /webhook-endpoints/{id}": webhookEndpoints.patch,
  "DELETE /webhook-endpoints/{id}": webhookEndpoints.remove,
  "POST /webhook-endpoints/{id}/rotate-secret": webhookEndpoints.rotateSecret,
  "POST /webhook-endpoints/{id}/test": webhookEndpoints.test,
  "POST /webhook-endpoints/{id}/recover": webhookEndpoints.recover,
  "GET /webhook-endpoints/{id}/deliveries": webhookEndpoints.deliveries,
  "POST /webhook-endpoints/{id}/deliveries/{deliveryId}/redeliver": webhookEndpoints.redeliver,

  "GET /audit-events": auditEvents.list,
  "GET /analytics/summary": analytics.summary,
} as const;
