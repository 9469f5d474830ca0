/** Wraps every member's page: checks the session, and provides the member, the workspace and the API client. */
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { ConfirmIdentity } from "#components/confirm-identity.tsx";
import { Operations } from "#components/query.tsx";
import { MembersReader } from "#components/reader.tsx";
import { SessionProvider } from "#components/session.tsx";
import { NowProvider } from "#components/ui/now.tsx";
import { Toasts } from "#components/ui/toast.tsx";
import { currencies } from "#lib/core/wire.ts";
import { currentMember, pageTime, performAsMember } from "#lib/doors/page.ts";

export async function MemberPage({ children }: { children: ReactNode }) {
  const member = await currentMember();
  if (member === "signed_out") {
    const path = (await headers()).get("x-path") ?? "/home";
    redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  }
  if (member === "no_workspace") redirect("/workspaces");
  const [{ data: workspaces }, { workspace }, { profile }] = await Promise.all([
    performAsMember("workspaces.list", {}),
    performAsMember("workspace.read", {}),
    performAsMember("profile.read", {}),
  ]);
  const { currency } = workspace;
  return (
    <SessionProvider session={{ ...member, workspaces, currency, currencies }}>
      {/* One for all pages: it drops one page's pending changes to the address before the next page reads it. */}
      <NuqsAdapter>
        <NowProvider now={(await pageTime()).toISOString()}>
          <Toasts>
            <Operations pageOf={{ userId: member.user.id, organizationId: member.organizationId }}>
              <ConfirmIdentity>
                <MembersReader locale={profile.locale} timeZone={profile.timeZone}>
                  {children}
                </MembersReader>
              </ConfirmIdentity>
            </Operations>
          </Toasts>
        </NowProvider>
      </NuqsAdapter>
    </SessionProvider>
  );
}
