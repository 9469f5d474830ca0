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
    summary: "List webhook endpoints",
    description: "Newest first.",
    scopes: ["webhooks:read"],
    input: z.object({}),
    output: EndpointList,
    errors: [],
    run: listEndpoints,
  }),
  create: operation({
    summary: "Create a webhook endpoint",
    description: "Only this response contains the signing secret.",
    scopes: ["webhooks:write"],
    input: NewEndpoint,
    output: EndpointWithSecret,
    status: 201,
    errors: ["conflict"],
    location: (made: { endpoint: { id: string } }) => `/webhook-endpoints/${made.endpoint.id}`,
    run: createEndpoint,
  }),
  read: operation({
    summary: "Retrieve a webhook endpoint",
    scopes: ["webhooks:read"],
    input: EndpointId,
    output: EndpointAnswer,
    errors: ["not_found"],
    run: async (ctx, { id }) => ({ endpoint: await findEndpoint(ctx, id) }),
  }),
  patch: operation({
    summary: "Update a webhook endpoint",
    description: "Omitted fields are left unchanged; null clears the description.",
    scopes: ["webhooks:write"],
    input: EndpointPatch,
    output: EndpointAnswer,
    errors: ["not_found", "precondition_failed"],
    run: async (ctx, input) => ({ endpoint: await patchEndpoint(ctx, input) }),
  }),
  remove: operation({
    summary: "Delete a webhook endpoint",
    description: "Pending deliveries to it are no longer sent.",
    scopes: ["webhooks:write"],
    input: EndpointId,
    errors: ["not_found"],
    run: removeEndpoint,
  }),
  rotateSecret: operation({
    summary: "Rotate a webhook endpoint's secret",
    description: "For 24 hours the previous secret signs as well. Only this response contains the new one.",
    scopes: ["webhooks:write"],
    input: EndpointId,
    output: EndpointWithSecret,
    errors: ["not_found"],
    run: rotateSecret,
  }),
  test: operation({
    summary: "Send a test event to a webhook endpoint",
    description: "The event webhook.test, whatever the endpoint subscribes to. The endpoint must be enabled.",
    scopes: ["webhooks:write"],
    input: EndpointId,
    output: DeliveryAnswer,
    status: 202,
    errors: ["not_found", "conflict"],
    run: async (ctx, { id }) => ({ delivery: await sendTest(ctx, await findEndpoint(ctx, id)) }),
  }),
  deliveries: operation({
    summary: "List a webhook endpoint's deliveries, with their attempts",
    description: "Newest first. They are kept for 90 days.",
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
    summary: "Retrieve a delivery with its request and all its attempts",
    scopes: ["webhooks:read"],
    input: DeliveryId,
    output: DeliveryInspection,
    errors: ["not_found"],
    run: inspectDelivery,
  }),
  redeliver: operation({
    summary: "Redeliver a delivery's event",
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
    summary: "Recover failed deliveries",
    description:
      "Sends each event whose delivery FAILED since then once more, unless it has arrived or is pending in another delivery. The endpoint must be enabled.",
    scopes: ["webhooks:write"],
    input: Recovery,
    output: Recovered,
    status: 202,
    errors: ["not_found", "conflict"],
    run: async (ctx, input) => recover(ctx, await findEndpoint(ctx, input.id), input),
  }),
};
