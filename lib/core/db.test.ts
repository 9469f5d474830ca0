import { expect, test } from "@playwright/test";
import { openPool } from "./db.ts";
import { provideSettings } from "./env.ts";

test("sessions use UTC, TCP keepalives and an idle-in-transaction limit that DATABASE_URL can override", async () => {
  const before = process.env.DATABASE_URL!;
  const address = new URL(before);
  const asked = "-c statement_timeout=7s -c idle_in_transaction_session_timeout=9s";
  for (const [options, idle, longest] of [
    [null, "1min", "0"],
    [asked, "9s", "7s"],
  ] as const) {
    if (options) address.searchParams.set("options", options);
    provideSettings({ DATABASE_URL: address.href });
    const pool = openPool(1);
    const names = [
      "TimeZone",
      "idle_in_transaction_session_timeout",
      "statement_timeout",
      "tcp_keepalives_idle",
    ];
    const sql =
      "SELECT array_agg(current_setting(name) ORDER BY at) AS set FROM unnest($1::text[]) WITH ORDINALITY AS n (name, at)";
    const { rows } = await pool.query(sql, [names]).finally(() => pool.end());
    expect(rows).toEqual([{ set: ["UTC", idle, longest, "60"] }]);
  }
  provideSettings({ DATABASE_URL: before });
});
