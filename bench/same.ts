/** Checks before measuring that both servers respond the same, also about what the other one wrote. */
import { deepStrictEqual } from "node:assert/strict";
import { Connection, requestText } from "./http-client.ts";
import { createText, patchText } from "./operations.ts";
import type { Seeded } from "./seed.ts";
import type { Server } from "./servers.ts";

/** Throws if the servers' responses differ. */
export async function expectSameAnswers(servers: Server[], workspace: Seeded): Promise<void> {
  const connections = await Promise.all(servers.map(({ port }) => Connection.open(port)));
  const ask = async (connection: Connection, request: string, status: number) => {
    const reply = await connection.ask(request, true);
    if (reply.status !== status) throw new Error(`${request}\nanswered ${reply.status}: ${reply.body}`);
    return JSON.parse(reply.body);
  };
  const read = async (path: string) => {
    const request = requestText("GET", path, workspace.key);
    const answers = await Promise.all(connections.map((connection) => ask(connection, request, 200)));
    // Each server has its own cursor format; only its presence must match.
    for (const answer of answers) if (answer.nextCursor) answer.nextCursor = "a cursor";
    for (const answer of answers) deepStrictEqual(answer, answers[0], `The servers differ at GET ${path}`);
    return answers[0];
  };
  const ids = workspace.contractIds.slice(0, 50);
  for (const path of ["/contracts", "/contracts?page=1000", ...ids.map((id) => `/contracts/${id}`)]) {
    await read(path);
  }
  for (const connection of connections) {
    const made = await ask(connection, createText(workspace), 201);
    deepStrictEqual(await read(`/contracts/${made.contract.id}`), { contract: made.contract });
    const patched = await ask(connection, patchText(workspace, made.contract.id), 200);
    deepStrictEqual(await read(`/contracts/${made.contract.id}`), patched);
  }
  const { data } = await read("/audit-events?limit=200");
  expectSameHistory(data);
  for (const connection of connections) connection.close();
}

/** The latest four events come from the two servers: a patch and a creation by each. */
function expectSameHistory(events: Record<string, unknown>[]): void {
  const [patch, create, otherPatch, otherCreate] = events.map(shapeOf);
  deepStrictEqual(patch, otherPatch, "The servers tell a patch differently");
  deepStrictEqual(create, otherCreate, "The servers tell a creation differently");
}

/** Replaces texts and numbers by their types, except for the action. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value === null ? null : typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === "action" ? inner : shapeOf(inner)]),
  );
}
