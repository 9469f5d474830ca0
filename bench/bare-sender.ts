/**
 * The reference for sending webhooks: signs with the same library as the product and posts, with as many concurrent
 * requests. It keeps no records: the queue is in memory, and outcomes are discarded.
 */
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { Agent, fetch } from "undici";
import { newId } from "#lib/core/ids.ts";

const { url, secret, bodies, connections } = JSON.parse(await text(process.stdin));
const webhook = new Webhook(secret);
const dispatcher = new Agent({ connections });

async function keepSending(): Promise<void> {
  for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
    const id = newId("delivery");
    const at = new Date();
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": webhook.sign(id, at, body),
    };
    const response = await fetch(url, { method: "POST", headers, body, dispatcher });
    await response.arrayBuffer();
  }
}

await Promise.all(Array.from({ length: connections }, keepSending));
await dispatcher.close();
