"use client";
/** The member's own calendar feed: a secret address for calendar programs. */
import { useState } from "react";
import { useAct, useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Radio } from "#components/ui/choice.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { CopyButton, useCopy } from "#components/ui/copy.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { ErrorState, Skeleton } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { FeedCovers } from "#lib/overview/calendar-feeds/schema.ts";

const feedCovers = ["mine", "everything"] as const satisfies readonly FeedCovers[];
const coverWords: Record<FeedCovers, { label: string; hint: string }> = {
  mine: {
    label: "What is assigned to me",
    hint: "Including obligations that are mine as the contract's owner.",
  },
  everything: { label: "Everything", hint: "All open obligations that I can see." },
};

export function FeedDialog({ onClose }: { onClose(): void }) {
  const { data, error, refetch } = useOperation("calendarFeed.read", {});
  const toast = useToast();
  const [url, setUrl] = useState<string | null>(null);
  const [wanted, setWanted] = useState<FeedCovers | null>(null);
  const covers = wanted ?? data?.covers ?? "mine";
  const create = useAct("calendarFeed.create", { invalidates: ["calendarFeed"] });
  const change = useAct("calendarFeed.choose", { invalidates: ["calendarFeed"] });
  const revoke = useAct("calendarFeed.revoke", { invalidates: ["calendarFeed"] });
  const [isRevoking, setRevoking] = useState(false);
  const make = async () => setUrl((await create.run({ covers })).url);
  const choose = async (next: FeedCovers) => {
    setWanted(next);
    if (data?.isOn || url) await change.run({ covers: next });
  };
  const end = async () => {
    await revoke.run({});
    setUrl(null);
    toast({
      title: "Your calendar address is revoked",
      detail: "Calendars that use it no longer get updates.",
    });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      staysOpen={() => url !== null}
      title="Obligations in your own calendar"
      description="A secret address that Google Calendar, Outlook, Apple Calendar and others can subscribe to. It includes the open obligations of all your workspaces."
      size="md"
    >
      <DialogBody className="grid gap-4">
        {url ? (
          <FeedAddress url={url} />
        ) : error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <Skeleton className="h-5 w-2/3" />
        ) : data.isOn && data.createdAt ? (
          <p>
            You have an address, created <DateTime value={data.createdAt} />. It was shown once; a new one
            replaces it.
          </p>
        ) : (
          <p>
            You have none yet. Whoever has the address can read the calendar: treat it like a password. You
            can revoke it here at any time.
          </p>
        )}
        {data && (
          <FieldGroup legend="What it includes">
            {feedCovers.map((each) => (
              <Radio
                key={each}
                name="covers"
                value={each}
                {...coverWords[each]}
                checked={covers === each}
                onChange={() => void choose(each).catch(() => setWanted(null))}
              />
            ))}
          </FieldGroup>
        )}
      </DialogBody>
      <DialogFooter>
        {data?.isOn && (
          <Button className="mr-auto" onClick={() => setRevoking(true)}>
            Revoke the address
          </Button>
        )}
        {url ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          data && (
            <Button
              variant="primary"
              busy={create.isRunning}
              onClick={() => void make().catch(() => undefined)}
            >
              {data.isOn ? "Create a new address" : "Create the address"}
            </Button>
          )
        )}
      </DialogFooter>
      <ConfirmDialog
        open={isRevoking}
        onOpenChange={setRevoking}
        title="Revoke the address?"
        description="Calendars that use it get no more updates. This cannot be undone: a new address has to be added to each of them."
        action="Revoke"
        onConfirm={end}
      />
    </Dialog>
  );
}

function FeedAddress({ url }: { url: string }) {
  const copying = useCopy(url);
  return (
    <Field
      label="Your address"
      hint="Shown only once. Add it to your calendar app as a subscription (“from URL”)."
    >
      <div className="flex flex-wrap gap-2">
        <Input
          value={url}
          readOnly
          onFocus={(event) => event.target.select()}
          className="min-w-0 flex-1 basis-64 font-mono !text-xs"
        />
        <CopyButton {...copying} />
      </div>
    </Field>
  );
}
