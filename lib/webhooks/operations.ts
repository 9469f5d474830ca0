import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { listDeliveries, recover, redeliver, sendTest } from "./deliveries.ts";
import {
  createEndpoint,
  findEndpoint,
  listEndpoints,
  patchEndpoint,
  removeEndpoint,
  rotateSecret,
} from "./endpoints.ts";
import { inspectDelivery } from "./inspect.ts";
import {
  DeliveryAnswer,
  DeliveryFeed,
  DeliveryId,
  DeliveryInspection,
  DeliveryQuery,
  EndpointAnswer,
  EndpointId,
  EndpointList,
  EndpointPatch,
  EndpointWithSecret,
  NewEndpoint,
  Recovered,
  Recovery,
} from "./schema.ts";

export const webhookEndpoints = {
  list: operation({
    summary: "List all webhook endpoints",
    description: "The newest first.",
    scopes: ["webhooks:read"],
    input: z.object({}),
    output: EndpointList,
    errors: [],
    run: listEndpoints,
  }),
  create: operation({
    summary: "Make a webhook endpoint",
    description: "The answer is the only one that has the signing secret.",
    scopes: ["webhooks:write"],
    input: NewEndpoint,
    output: EndpointWithSecret,
    status: 201,
    errors: [],
    location: (made: { endpoint: { id: string } }) => `/webhook-endpoints/${made.endpoint.id}`,
    run: createEndpoint,
  }),
  read: operation({
    summary: "Read a webhook endpoint",
    scopes: ["webhooks:read"],
    input: EndpointId,
    output: EndpointAnswer,
    errors: ["not_found"],
    run: async (ctx, { id }) => ({ endpoint: await findEndpoint(ctx, id) }),
  }),
  patch: operation({
    summary: "Change, disable or enable a webhook endpoint",
    description: "Omit a field to leave it as it is; null clears the description.",
    scopes: ["webhooks:write"],
    input: EndpointPatch,
    output: EndpointAnswer,
    errors: ["not_found", "precondition_failed"],
    run: async (ctx, input) => ({ endpoint: await patchEndpoint(ctx, input) }),
  }),
  remove: operation({
    summary: "Delete a webhook endpoint",
    description: "What waits to be sent to it is not sent any more.",
    scopes: ["webhooks:write"],
    input: EndpointId,
    errors: ["not_found"],
    run: removeEndpoint,
  }),
  rotateSecret: operation({
    summary: "Give a webhook endpoint a new secret",
    description: "For 24 hours the one before signs too. The answer is the only one that has the new one.",
    scopes: ["webhooks:write"],
    input: EndpointId,
    output: EndpointWithSecret,
    errors: ["not_found"],
    run: rotateSecret,
  }),
  test: operation({
    summary: "Send a webhook.test to a webhook endpoint",
    description: "Whatever it subscribed to. The endpoint must be enabled.",
    scopes: ["webhooks:write"],
    input: EndpointId,
    output: DeliveryAnswer,
    status: 202,
    errors: ["not_found", "conflict"],
    run: async (ctx, { id }) => ({ delivery: await sendTest(ctx, await findEndpoint(ctx, id)) }),
  }),
  deliveries: operation({
    summary: "List a webhook endpoint's deliveries, with their attempts",
    description: "The newest first. They are kept 90 days.",
    scopes: ["webhooks:read"],
    input: DeliveryQuery,
    output: DeliveryFeed,
    errors: ["not_found"],
    run: async (ctx, input) => {
      await findEndpoint(ctx, input.id);
      return listDeliveries(ctx, input);
    },
  }),
  inspectDelivery: operation({
    summary: "Read a delivery with its request and all its attempts",
    scopes: ["webhooks:read"],
    input: DeliveryId,
    output: DeliveryInspection,
    errors: ["not_found"],
    run: inspectDelivery,
  }),
  redeliver: operation({
    summary: "Send a delivery's event again",
    description:
      "A new delivery, with an id of its own, of the same event, byte for byte. The endpoint must be enabled.",
    scopes: ["webhooks:write"],
    input: DeliveryId,
    output: DeliveryAnswer,
    status: 202,
    errors: ["not_found", "conflict"],
    run: async (ctx, path) => ({ delivery: await redeliver(ctx, await findEndpoint(ctx, path.id), path) }),
  }),
  recover: operation({
    summary: "Send again what failed since a moment",
    description:
      "Each event whose delivery FAILED then or later, once, unless it has arrived or is on its way by another delivery. The endpoint must be enabled.",
    scopes: ["webhooks:write"],
    input: Recovery,
    output: Recovered,
    status: 202,
    errors: ["not_found", "conflict"],
    run: async (ctx, input) => recover(ctx, await findEndpoint(ctx, input.id), input),
  }),
};
