import type { Metadata } from "next";
import { NotificationsPage } from "#components/settings/notifications/notifications-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Notifications" };

export default function Notifications() {
  return (
    <Seed asks={[read("notifications.settings", {}), read("notifications.defaults", {})]}>
      <NotificationsPage />
    </Seed>
  );
}
