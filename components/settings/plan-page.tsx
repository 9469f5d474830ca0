"use client";
/** The workspace's seats and subscription, which the operator sets. */
import { useOperation } from "#components/query.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { Link } from "#components/ui/link.tsx";
import { Read, SettingsBody } from "./parts.tsx";
import { Seats } from "./seats.tsx";

export function PlanPage() {
  const reading = useOperation("workspace.read", {});
  return (
    <SettingsBody title="Plan" description="Seats and subscription of this workspace.">
      <Read reading={reading} label="Loading the plan">
        {({ workspace }) => (
          <>
            <Card className="divide-y divide-line">
              <div className="flex flex-wrap items-start gap-x-6 gap-y-2 p-4 sm:p-5">
                <div className="min-w-0 flex-1 basis-64">
                  <h2 className="font-semibold text-base">Subscription</h2>
                  <p className="text-quiet">
                    {workspace.subscriptionStatus === "active"
                      ? "Everything can be read and changed."
                      : "Everything can be read, but nothing can be changed, here or through the API, until it is active again."}
                  </p>
                </div>
                {workspace.subscriptionStatus === "active" ? (
                  <Badge tone="good" dot>
                    Active
                  </Badge>
                ) : (
                  <Badge tone="warn" dot>
                    Not active
                  </Badge>
                )}
              </div>
              <div className="grid gap-3 p-4 sm:p-5">
                <h2 className="font-semibold text-base">Seats</h2>
                <Seats workspace={workspace} />
                <p className="text-quiet">
                  A seat is taken by each <Link href="/settings/members">member</Link>, and by each invitation
                  while it is pending.
                </p>
              </div>
            </Card>
            <div className="grid gap-2 text-quiet">
              <h2 className="font-semibold text-base text-ink">Who changes the plan</h2>
              <p>
                The operator of this server sets seats and subscription; no one in a workspace can. Tell them
                this workspace's id:
              </p>
              <CopyText text={workspace.id} />
            </div>
          </>
        )}
      </Read>
    </SettingsBody>
  );
}
