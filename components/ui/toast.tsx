"use client";
/** A short word on what was done, with a way back where there is one. */
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Button, IconButton } from "./button.tsx";

export interface ToastOptions {
  title: string;
  detail?: ReactNode;
  tone?: "done" | "failed";
  /** A way back, offered for as long as the toast stands. */
  undo?(): void;
  action?: { label: string; run(): void };
}

interface Shown extends ToastOptions {
  id: number;
}

const ToastContext = createContext<(toast: ToastOptions) => void>(() => undefined);

/** Shows a toast. */
export const useToast = () => useContext(ToastContext);

let last = 0;

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const show = useCallback((toast: ToastOptions) => {
    last += 1;
    const id = last;
    // More than three at once nobody reads.
    setShown((before) => [...before.slice(-2), { ...toast, id }]);
  }, []);
  const drop = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={show}>
      <Radix.Provider swipeDirection="right" label="Notification">
        {children}
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onGone={() => drop(toast.id)} />
        ))}
        <Radix.Viewport className="fixed inset-x-3 bottom-[4.5rem] z-[60] grid justify-items-end gap-2 outline-none sm:inset-x-auto sm:right-4 sm:bottom-4 sm:w-96" />
      </Radix.Provider>
    </ToastContext>
  );
}

function ToastCard({ toast, onGone }: { toast: Shown; onGone(): void }) {
  const { title, detail, tone = "done", undo } = toast;
  const action = undo ? { label: "Undo", run: undo } : toast.action;
  const Icon = tone === "failed" ? CircleAlert : CircleCheck;
  return (
    <Radix.Root
      duration={tone === "failed" || action ? 10_000 : 5000}
      type={tone === "failed" ? "foreground" : "background"}
      onOpenChange={(open) => {
        if (!open) onGone();
      }}
      className="flex w-full items-start gap-2.5 rounded-lg bg-raised py-2.5 pr-2 pl-3.5 shadow-high data-[state=open]:animate-rise data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <Icon
        aria-hidden
        className={clsx("mt-0.5 size-4 shrink-0", tone === "failed" ? "text-danger" : "text-on-good")}
      />
      <div className="min-w-0 flex-1">
        <Radix.Title className="font-medium">{title}</Radix.Title>
        {detail && <Radix.Description className="break-words text-quiet text-xs">{detail}</Radix.Description>}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label}>
          <Button size="sm" onClick={action.run}>
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label="Dismiss" size="sm">
          <X aria-hidden />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  );
}
