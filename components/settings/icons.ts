import {
  Bell,
  Bot,
  Building,
  CreditCard,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  TextCursorInput,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import type { SettingsPage } from "./pages.ts";

export const settingsIcons: Record<SettingsPage["href"], LucideIcon> = {
  "/settings/workspace": Building,
  "/settings/members": Users,
  "/settings/approvals": ListChecks,
  "/settings/custom-fields": TextCursorInput,
  "/settings/plan": CreditCard,
  "/settings/audit": ScrollText,
  "/settings/assistants": Bot,
  "/settings/api-keys": KeyRound,
  "/settings/webhooks": Webhook,
  "/settings/profile": UserRound,
  "/settings/notifications": Bell,
  "/settings/sessions": MonitorSmartphone,
};
