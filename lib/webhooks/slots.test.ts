import { expect, test } from "@playwright/test";
import { Slots } from "./slots.ts";

const names = (workspace: string, count: number) =>
  Array.from({ length: count }, (_, nth) => `${workspace} endpoint${nth}`);

function end(slots: Slots, endpoint: string, wasLate: boolean): void {
  slots.markEnded(endpoint, wasLate);
  slots.release(endpoint, 1);
}

/** Endpoints that take all they can get and never answer. */
function hang(slots: Slots, endpoints: string[]): void {
  const taken = new Map(endpoints.map((endpoint) => [endpoint, slots.take(endpoint)]));
  for (const [endpoint, count] of taken) for (let nth = 0; nth < count; nth++) slots.markLate(endpoint);
}

test("an endpoint has at most 8 attempts running at once, and each that ends frees its slot", () => {
  const slots = new Slots();
  expect([slots.take("a 1"), slots.take("a 1"), slots.free("a 2")]).toEqual([8, 0, 8]);
  end(slots, "a 1", false);
  expect(slots.free("a 1")).toBe(1);
  slots.release("a 1", 3);
  expect(slots.take("a 1")).toBe(4);
});

test("one workspace takes at most 100 slots, which leaves room for the others", () => {
  const slots = new Slots();
  const taken = names("a", 60).map((endpoint) => slots.take(endpoint));
  expect(taken.reduce((sum, count) => sum + count)).toBe(100);
  expect(slots.free("b 1")).toBe(8);
});

test("endpoints that hang take no slots from responsive ones, even in the same workspace", () => {
  const slots = new Slots();
  for (const workspace of ["a", "b", "c", "d", "e", "f"]) {
    hang(slots, names(workspace, 50));
    expect([slots.free(`${workspace} brisk`), slots.free("other 1")]).toEqual([8, 8]);
  }
});

test("a workspace whose endpoints all hang runs out of slots until some of its attempts end", () => {
  const slots = new Slots();
  for (let burst = 0; burst < 5; burst++) hang(slots, names("a", 500));
  expect(names("a", 500).map((endpoint) => slots.free(endpoint))).toEqual(Array(500).fill(0));
  for (const endpoint of names("a", 25)) for (let nth = 0; nth < 8; nth++) end(slots, endpoint, true);
  expect(slots.free("a another")).toBe(8);
  expect(names("a", 500).reduce((sum, endpoint) => sum + slots.take(endpoint), 0)).toBe(150);
});

test("a slow endpoint gets fewer slots until it responds in time", () => {
  const slots = new Slots();
  slots.take("a 1");
  slots.markLate("a 1");
  for (let nth = 0; nth < 7; nth++) end(slots, "a 1", false);
  expect(slots.free("a 1"), "one still hangs").toBe(3);
  end(slots, "a 1", true);
  expect(slots.free("a 1")).toBe(4);
  slots.take("a 1");
  end(slots, "a 1", false);
  expect(slots.free("a 1")).toBe(5);
});

test("claims wait for a slot only at an endpoint that has running attempts and is not slow", () => {
  const slots = new Slots();
  expect(slots.maxQueued("a 1")).toBe(0);
  slots.take("a 1");
  expect(slots.maxQueued("a 1")).toBe(24);
  slots.markLate("a 1");
  expect(slots.maxQueued("a 1")).toBe(0);
});

test("after a mix of timely and late attempts has ended, all slots are free again", () => {
  const slots = new Slots();
  const endpoints = names("a", 30);
  for (let round = 0; round < 3; round++) {
    for (const endpoint of endpoints) {
      const count = slots.take(endpoint);
      for (let nth = 0; nth < count; nth++) {
        const isLate = (nth + round) % 3 === 0;
        if (isLate) slots.markLate(endpoint);
        end(slots, endpoint, isLate);
      }
    }
  }
  for (const endpoint of endpoints) {
    const count = slots.take(endpoint);
    end(slots, endpoint, false);
    slots.release(endpoint, count - 1);
  }
  const taken = names("a", 60).map((endpoint) => slots.take(endpoint));
  expect(taken.reduce((sum, count) => sum + count)).toBe(100);
});
