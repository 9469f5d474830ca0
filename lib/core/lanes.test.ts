/** Tests the scheduling alone: each piece of work ends when the test says so. */
import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { type Lane, refuseIfFull, runInLane, type Turn } from "./lanes.ts";

/** Work in a lane: what has started, in which order, and how to end each piece. */
function work(lane: Lane) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const done: Promise<unknown>[] = [];
  return {
    begun,
    add(share: string, name: string, signal?: AbortSignal): Promise<string> {
      const turn: Turn = { share, signal };
      const result = runInLane(lane, turn, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });
      done.push(result.catch(() => undefined));
      return result;
    },
    async end(): Promise<void> {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    async endAll(): Promise<void> {
      while (ends.length > 0) await this.end();
      await Promise.all(done);
    },
  };
}

/** The tests of a process share its lanes: each uses shares of its own. */
const share = (name: string) => `${name} ${randomUUID()}`;

const lanes = Object.keys({
  ...{ sealing: 0, requests: 0, comparisons: 0, images: 0, outlines: 0, arrivals: 0 },
  ...{ verification: 0, background: 0, previews: 0, keyed: 0, rendering: 0 },
} satisfies Record<Lane, 0>) as Lane[];

test("in every lane, a share's first job waits for at most two of another share's whole queue", async () => {
  for (const name of lanes) {
    const lane = work(name);
    const [greedy, other] = [share("greedy"), share("other")];
    for (let count = 0; count < 50; count++) lane.add(greedy, "greedy").catch(() => undefined);
    await lane.end();
    void lane.add(other, "other");
    for (let count = 0; count < 2; count++) await lane.end();
    expect(lane.begun, name).toContain("other");
    await lane.endAll();
  }
});

test("the shares of a lane take turns, so a late share does not wait for another's whole queue", async () => {
  const lane = work("background");
  const [greedy, other, late] = [share("greedy"), share("other"), share("late")];
  for (let count = 0; count < 20; count++) void lane.add(greedy, `greedy ${count}`);
  for (let count = 0; count < 2; count++) void lane.add(other, `other ${count}`);
  await lane.end();
  void lane.add(late, "late");
  for (let count = 0; count < 5; count++) await lane.end();
  expect(lane.begun.slice(0, 3)).toEqual(["greedy 0", "greedy 1", "other 0"]);
  expect(lane.begun.indexOf("late")).toBeLessThanOrEqual(4);
  expect(lane.begun.indexOf("other 1")).toBeLessThanOrEqual(6);
  await lane.endAll();
});

test("one share never fills the requests lane, so another share's job starts at once", async () => {
  const lane = work("requests");
  const [greedy, other] = [share("greedy"), share("other")];
  for (let count = 0; count < 50; count++) void lane.add(greedy, "greedy");
  await new Promise((resolve) => setImmediate(resolve));
  const before = lane.begun.length;
  void lane.add(other, "other");
  await new Promise((resolve) => setImmediate(resolve));
  expect(lane.begun.slice(before)).toEqual(["other"]);
  await lane.endAll();
});

test("a job starts at once in any lane while all other lanes are full", async () => {
  for (const name of lanes) {
    const full = lanes.filter((other) => other !== name);
    const others = full.map(work);
    for (const lane of others) {
      for (let count = 0; count < 50; count++) lane.add(share("full"), "full").catch(() => undefined);
    }
    const free = work(name);
    void free.add(share("late"), "late");
    await new Promise((resolve) => setImmediate(resolve));
    expect(free.begun, name).toEqual(["late"]);
    for (const [index, lane] of others.entries()) {
      expect(lane.begun.length, full[index]).toBeLessThan(50);
      await lane.endAll();
    }
    await free.endAll();
  }
});

test("a job beyond the waiting limit of its share or its lane is refused with Retry-After", async () => {
  const lane = work("verification");
  const greedy = share("greedy");
  const refused: unknown[] = [];
  for (let count = 0; count < 10; count++) lane.add(greedy, "greedy").catch((error) => refused.push(error));
  await new Promise((resolve) => setImmediate(resolve));
  expect(refused).toHaveLength(6);
  expect(refused[0]).toMatchObject({ code: "unavailable", headers: { "retry-after": "5" } });
  expect(() => refuseIfFull("verification", { share: greedy })).toThrow(/Try again/);
  const others = Array.from({ length: 5 }, () => share("other"));
  for (const other of others) void lane.add(other, "other");
  const unlucky = { share: share("unlucky") };
  expect(() => refuseIfFull("verification", unlucky)).toThrow(/Try again/);
  await expect(runInLane("verification", unlucky, async () => 1)).rejects.toMatchObject({
    code: "unavailable",
  });
  await lane.endAll();
  expect(await runInLane("verification", unlucky, async () => 1)).toBe(1);
});

test("a job whose client hangs up while waiting never starts, and a failed job frees its slot", async () => {
  const lane = work("images");
  const leaving = new AbortController();
  void lane.add(share("first"), "first");
  const left = lane.add(share("left"), "left", leaving.signal);
  void lane.add(share("next"), "next");
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "unavailable" });
  await expect(lane.add(share("late"), "late", leaving.signal)).rejects.toMatchObject({
    code: "unavailable",
  });
  await lane.end();
  expect(lane.begun).toEqual(["first", "next"]);
  await lane.endAll();
  const failing = runInLane("images", { share: share("failing") }, () => Promise.reject(new Error("fails")));
  await expect(failing).rejects.toThrow("fails");
  expect(await runInLane("images", { share: share("after") }, async () => 2)).toBe(2);
});
