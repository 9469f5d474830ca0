"use client";
/** Assistants that act for members, and what the workspace allows them. */
import { Bot } from "lucide-react";
import { useOperation } from "#components/query.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { Read, SettingsBody } from "../parts.tsx";
import { AssistantsTable } from "./assistants-table.tsx";
import { PolicyChoice } from "./policy-choice.tsx";

export function AssistantsPage() {
  const reading = useOperation("assistants.list", {});
  return (
    <SettingsBody
      wide
      title="Connected assistants"
      description="Programs that look up and change things in a member’s name. They never send, sign or invite."
    >
      <Read reading={reading} label="Loading connected assistants">
        {({ data, policy, address }) => (
          <>
            {address ? (
              <p className="grid justify-items-start gap-1">
                Give your assistant this address. It then asks here what it may do.
                <CopyText label="Address" text={address} />
              </p>
            ) : (
              <p className="text-quiet">
                Assistants are turned off on this server. Ask its operator to turn them on.
              </p>
            )}
            <PolicyChoice policy={policy} />
            <div className="overflow-hidden rounded-lg border border-line">
              {data.length === 0 ? (
                <EmptyState icon={Bot} title="No assistants connected">
                  Connected assistants are listed here, with who connected them.
                </EmptyState>
              ) : (
                <AssistantsTable assistants={data} />
              )}
            </div>
          </>
        )}
      </Read>
    </SettingsBody>
  );
}
