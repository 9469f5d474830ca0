"use client";
/** Where the member is signed in. */
import { Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Ago, DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { signOut } from "#lib/doors/session-client.ts";
import type { Session } from "#lib/people/accounts/schema.ts";
import { Read, SettingsBody } from "../parts.tsx";
import { deviceOf, isHandheld } from "./device.ts";

export function SessionsPage() {
  const reading = useOperation("sessions.list", {});
  const toast = useToast();
  const [asking, setAsking] = useState<"others" | "everywhere" | null>(null);
  const endOthers = useAct("sessions.endOthers", { invalidates: ["sessions"] });
  const others = (reading.data?.data ?? []).filter(({ isCurrent }) => !isCurrent).length;
  const close = (open: boolean) => !open && setAsking(null);
  return (
    <SettingsBody
      title="Sessions"
      description="Where you are signed in. Sessions that you end here end immediately."
      actions={
        <>
          {others > 0 && <Button onClick={() => setAsking("others")}>End all others</Button>}
          <Button onClick={() => setAsking("everywhere")}>Sign out everywhere</Button>
        </>
      }
    >
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={reading} label="Loading your sessions">
          {({ data }) => (
            <ul>
              {data.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
          )}
        </Read>
      </div>
      <ConfirmDialog
        open={asking === "others"}
        onOpenChange={close}
        title={`End ${counted(others, "other session")}?`}
        description="You stay signed in here. Elsewhere the password is asked for again, the address of your calendar feed stops working, and your assistants are disconnected."
        action="End them"
        onConfirm={async () => {
          const { ended } = await endOthers.run({});
          toast({ title: `${counted(ended, "session")} ended` });
        }}
      />
      <ConfirmDialog
        open={asking === "everywhere"}
        onOpenChange={close}
        title="Sign out everywhere?"
        description="Here too: you will be asked for your password again. The address of your calendar feed stops working, and your assistants are disconnected."
        action="Sign out everywhere"
        onConfirm={async () => {
          await endOthers.run({});
          await signOut().catch((error) => {
            toast({ ...refusalToast(problemOf(error)), title: "You are still signed in here" });
            throw error;
          });
          window.location.assign("/sign-in");
        }}
      />
    </SettingsBody>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { id, ip, userAgent, createdAt, lastSeenAt, isCurrent } = session;
  const toast = useToast();
  const end = useAct("sessions.end", { invalidates: ["sessions"] });
  const device = deviceOf(userAgent);
  const Icon = isHandheld(userAgent) ? Smartphone : Monitor;
  const run = async () => {
    await end.run({ id });
    toast({ title: "Session ended", detail: device });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b px-4 py-3 last:border-b-0">
      <Icon aria-hidden className="size-5 shrink-0 text-quiet" strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span title={userAgent ?? undefined}>{device}</span>
          {isCurrent && <Badge tone="good">This device</Badge>}
        </p>
        <p className="text-quiet text-xs">
          {isCurrent ? (
            "Active now"
          ) : (
            <>
              Last seen <Ago value={lastSeenAt} />
            </>
          )}
          {ip && ` from ${ip}`} · since <DateTime value={createdAt} />
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="sm"
          busy={end.isRunning}
          aria-label={`End the session: ${device}`}
          onClick={() => void run().catch(() => undefined)}
        >
          End
        </Button>
      )}
    </li>
  );
}
