import { expect, test } from "@playwright/test";
import type { FilterSql } from "./filter.ts";
import { pageQueries, type Sorted } from "./page.ts";

test("a list's page is first read from a limited part of the index, unless the limit covers all contracts", () => {
  const sorted: Sorted = { sort: "lastActivityAt", dir: "desc", values: [], by: "c.last_activity_at" };
  const filter = {
    ...{ only: null, narrowed: {}, isBesideActivity: true, isSearch: false, isSearchAlone: false },
    ...{ isClustered: true, within: "true", asked: "c.expires_at <= $2", parts: ["NOT c.archived"] },
    ...{ contracts: "contracts c", from: "contracts c", where: "c.expires_at <= $2" },
  } as unknown as FilterSql;
  const limits = (total: number) =>
    pageQueries(sorted, filter, { offset: 0, limit: 50, total, all: 100_000 }).map((way) =>
      [...way.matchAll(/LIMIT (\d+)/g)].map(([, limit]) => Number(limit)),
    );
  expect(limits(40_000)).toEqual([[50]]);
  expect(limits(20_000)).toEqual([[60_000, 50], [50]]);
});
