/** Checks that the additional checks in tests (e2e/strict.ts) do fail; otherwise the other tests would prove less. */
import { z } from "zod";
import { change } from "#lib/core/change.ts";
import { database } from "#lib/core/db.ts";
import { Refusal } from "#lib/core/errors.ts";
import { runOperation } from "#lib/core/execute.ts";
import { runInLane, turnOf } from "#lib/core/lanes.ts";
import { operation } from "#lib/core/operation.ts";
import { serialize } from "#lib/core/serialize.ts";
import { expect, test } from "../fixtures.ts";

test("a change that writes something without recording an action fails and is rolled back", async ({
  workspace: { ctx, organizationId },
}) => {
  const nameNow = async () =>
    (await database().prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })).name;
  const name = await nameNow();
  const rename = (to: string) =>
    change(ctx, (tx) =>
      tx.organization.updateMany({ where: { id: organizationId, name: to }, data: { name: "Silently" } }),
    );
  await expect(rename(name)).rejects.toThrow("recorded nothing");
  expect(await nameNow()).toBe(name);
  expect(await rename("another's"), "where there is nothing to record").toEqual({ count: 0 });
});

test("recording an action that is announced to others fails without its resource", async ({
  workspace: { ctx },
}) => {
  const silent = change(ctx, async (_, record) => {
    record({ action: "COUNTERPARTY_CREATED", target: { type: "counterparty", id: "cp_1" } });
  });
  await expect(silent).rejects.toThrow("without its resource");
});

test("a change that waits for a document fails unless it declares that it does", async ({
  workspace: { ctx },
}) => {
  const waiting = () => runInLane("requests", turnOf(ctx), async () => "done");
  await expect(change(ctx, waiting)).rejects.toThrow("does not say that it awaits documents");
  expect(await change(ctx, waiting, { awaitsDocuments: true })).toBe("done");
  expect(await waiting()).toBe("done");
});

test("an operation fails if it refuses with an unlisted error or its response violates the schema", async ({
  workspace: { ctx },
}) => {
  const refusing = operation({
    summary: "Refuse",
    scopes: [],
    input: z.object({ code: z.enum(["not_found", "conflict"]) }),
    output: z.object({}),
    errors: ["not_found"],
    run: async (_, { code }) => {
      throw new Refusal(code, "No.");
    },
  });
  await expect(runOperation(refusing, ctx, { code: "conflict" })).rejects.toThrow(
    "does not list its error conflict",
  );
  await expect(runOperation(refusing, ctx, { code: "not_found" })).rejects.toThrow("No.");
  expect(() => serialize(z.object({ name: z.string().max(3) }), { name: "long" })).toThrow("Too big");
});
