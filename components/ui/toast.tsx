"use client";
/** Toasts: short messages about what was done, with Undo if possible. */
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";

export interface ToastOptions {
  title: string;
  detail?: ReactNode;
  tone?: "done" | "failed";
  /** Undoes the action; offered as long as the toast is shown. */
  undo?(): void;
}

interface Shown extends ToastOptions {
  id: number;
}

const ToastContext = createContext<(toast: ToastOptions) => void>(() => undefined);

/** Returns the function that shows a toast. */
export const useToast = () => useContext(ToastContext);

let last = 0;

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const show = useCallback((toast: ToastOptions) => {
    last += 1;
    const id = last;
    // Show at most three at once: no one reads more.
    setShown((before) => [...before.slice(-2), { ...toast, id }]);
  }, []);
  const drop = useCallback(
    (id: number) => setShown((before) => before.filter((toast) => toast.id !== id)),
    [],
  );
  return (
    <ToastContext value={show}>
      {children}
      <section
        aria-label="Notifications"
        // Leaves room for a page's bottom bar of buttons.
        className="print:hidden pointer-events-none fixed inset-x-3 bottom-[4.5rem] z-[60] sm:inset-x-auto sm:right-4 sm:bottom-4 sm:w-96 [body:has([data-bottom-bar])_&]:bottom-32 md:[body:has([data-bottom-bar])_&]:bottom-18"
      >
        <ol aria-live="polite" aria-relevant="additions" className="grid gap-2">
          {shown.map((toast) => (
            <ToastCard key={toast.id} toast={toast} onDismiss={drop} />
          ))}
        </ol>
      </section>
    </ToastContext>
  );
}

/** Errors and toasts with Undo stay longer, and none disappears while it is hovered or focused. */
const shortMs = 5000;
const longMs = 10_000;

function ToastCard({ toast, onDismiss }: { toast: Shown; onDismiss(id: number): void }) {
  const { id, title, detail, tone = "done", undo } = toast;
  const [held, setHeld] = useState(false);
  const duration = tone === "failed" || undo ? longMs : shortMs;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onDismiss(id), duration);
    return () => clearTimeout(timer);
  }, [held, id, duration, onDismiss]);
  const Icon = tone === "failed" ? CircleAlert : CircleCheck;
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  return (
    <li
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full animate-rise items-start gap-2.5 rounded-lg bg-raised py-2.5 pr-2 pl-3.5 shadow-high"
    >
      <Icon
        aria-hidden
        className={clsx("mt-0.5 size-4 shrink-0", tone === "failed" ? "text-danger" : "text-on-good")}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {detail && <div className="break-words text-quiet text-xs">{detail}</div>}
      </div>
      {undo && (
        <Button
          size="sm"
          onClick={() => {
            undo();
            onDismiss(id);
          }}
        >
          Undo
        </Button>
      )}
      <IconButton label="Dismiss" size="sm" onClick={() => onDismiss(id)}>
        <X aria-hidden />
      </IconButton>
    </li>
  );
}
