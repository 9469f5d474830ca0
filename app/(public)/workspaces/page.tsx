import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Frame } from "#components/accounts/frame.tsx";
import { WorkspaceChoice } from "#components/accounts/workspace-choice.tsx";
import { currentMember, performAsMember } from "#lib/doors/page.ts";

export const metadata: Metadata = { title: "Workspaces" };

export default async function WorkspacesPage() {
  if ((await currentMember()) === "signed_out") redirect("/sign-in?next=/workspaces");
  const [{ data }, { data: invitations }, { signUp }] = await Promise.all([
    performAsMember("workspaces.list", {}),
    performAsMember("workspaces.invitations", {}),
    performAsMember("account.ways", {}),
  ]);
  return (
    <Frame
      title={data.length > 0 ? "Choose a workspace" : "You are not in a workspace yet"}
      lead={
        data.length > 0
          ? undefined
          : invitations.length > 0
            ? "Join a workspace that invites you. Join only those that you know."
            : "Ask an admin of a workspace for an invitation."
      }
    >
      <WorkspaceChoice workspaces={data} invitations={invitations} mayCreate={signUp === "open"} />
    </Frame>
  );
}
