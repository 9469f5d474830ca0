import { headers } from "next/headers";
import type { ReactNode } from "react";
import { SettingsFrame } from "#components/settings/frame.tsx";
import { ProxyNotice } from "#components/settings/proxy-notice.tsx";
import { forwardedHeader } from "#lib/http/proxy.ts";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const isUnknownProxy = (await headers()).get(forwardedHeader) !== null;
  return <SettingsFrame notice={isUnknownProxy && <ProxyNotice />}>{children}</SettingsFrame>;
}
