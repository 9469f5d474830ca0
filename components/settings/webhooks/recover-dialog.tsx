"use client";
/** Resends the deliveries that failed since a point in time. */
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";

const hourMs = 3_600_000;

const spans = [
  { value: "1", label: "In the last hour" },
  { value: "24", label: "In the last 24 hours" },
  { value: "168", label: "In the last 7 days" },
  { value: "2160", label: "In the last 90 days" },
];

export function RecoverDialog({ id, onClose }: { id: string; onClose(): void }) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const [hours, setHours] = useState("24");
  const recover = useAct("webhookEndpoints.recover", { invalidates: ["webhookEndpoints", "auditEvents"] });
  const run = async () => {
    const { count } = await recover.run({
      id,
      since: new Date(Date.now() - Number(hours) * hourMs).toISOString(),
    });
    toast({
      title: count === 0 ? "Nothing to send again" : `${counted(count, "event")} sent again`,
      detail: count === 0 ? "Everything since then has arrived or is on its way." : undefined,
    });
    close();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Recover failed deliveries"
      description="Each event that failed since then is sent once more, unless it has arrived meanwhile."
    >
      <DialogBody>
        <Field label="Failed">
          <Select options={spans} value={hours} onChange={(event) => setHours(event.target.value)} />
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={recover.isRunning} onClick={() => void run().catch(() => undefined)}>
          Send again
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
