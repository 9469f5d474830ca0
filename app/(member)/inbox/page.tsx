import type { Metadata } from "next";
import { InboxPage } from "#components/inbox/inbox-page.tsx";
import { inboxViews } from "#lib/notifications/catalogue.ts";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Inbox" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function Inbox({ searchParams }: { searchParams: Query }) {
  const asked = await searchParams;
  const view = inboxViews.find((each) => each === asked.view) ?? "open";
  const page = Math.max(1, Number.parseInt(String(asked.page ?? 1), 10) || 1);
  return (
    <Seed asks={[read("notifications.list", { view, page })]}>
      <InboxPage />
    </Seed>
  );
}
