import type { Metadata } from "next";
import { NotificationsPage } from "#components/settings/notifications/notifications-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Notifications" };

export default function Notifications() {
  return (
    <Seed asks={[ask("notifications.settings", {}), ask("notifications.defaults", {})]}>
      <NotificationsPage />
    </Seed>
  );
}
