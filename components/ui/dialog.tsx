"use client";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { IconButton } from "./button.tsx";
import { Scrim } from "./scrim.tsx";

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: ReactNode;
  /** The width: sm for a question, md for a form, lg for two columns. */
  size?: "sm" | "md" | "lg";
  /** Whether a click outside keeps the dialog open, because it contains input that would be lost. */
  staysOpen?(): boolean;
  children?: ReactNode;
}

const widths = { sm: "sm:max-w-md", md: "sm:max-w-xl", lg: "sm:max-w-3xl" };

/**
 * The content of a dialog or sheet. When it closes, focus returns to the element that had it before, whether
 * or not that is a Radix trigger.
 */
function Content(props: ComponentProps<typeof Radix.Content>) {
  const [opener] = useState(focusedElement);
  return (
    <Radix.Content
      {...props}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        opener?.focus();
        // If the action removed the opener, keyboard users continue in the main content, not at the top of
        // the page.
        if (document.activeElement === document.body)
          document.getElementById("main")?.focus({ preventScroll: true });
      }}
    />
  );
}

/**
 * Returns the focused element. For a menu item it is the menu's button, because the menu is unmounted by the
 * time its dialog closes.
 */
function focusedElement(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return opener instanceof HTMLElement ? opener : null;
}

/** A modal dialog: centered near the top of the window, or at the bottom of the screen on phones. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = "sm",
  staysOpen,
  children,
}: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Scrim />
        <Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onInteractOutside={(event) => staysOpen?.() && event.preventDefault()}
          className={clsx(
            "fixed inset-x-0 bottom-0 z-50 flex max-h-[min(92dvh,calc(100dvh-var(--notice-end,0px)))] flex-col rounded-t-xl bg-raised shadow-high outline-none",
            "data-[state=open]:animate-rise sm:inset-x-4 sm:top-[max(12dvh,var(--notice-end,0px))] sm:bottom-auto sm:mx-auto sm:max-h-[min(78dvh,calc(98dvh-var(--notice-end,0px)))] sm:rounded-xl",
            widths[size],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-0.5 text-quiet">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-mr-2">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          {children}
        </Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface DialogBodyProps {
  className?: string;
  /**
   * The accessible name, for a body without focusable elements: it becomes focusable itself, so that it can
   * be scrolled with the keyboard. Such a body does not report `onInput`.
   */
  label?: string;
  /** Called on input into any of its fields. */
  onInput?(): void;
  children: ReactNode;
}

/** The scrollable part of a dialog. */
export function DialogBody({ className, label, onInput, children }: DialogBodyProps) {
  const classes = clsx("min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5", className);
  if (label === undefined)
    return (
      <div className={classes} onInput={onInput}>
        {children}
      </div>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
    <section aria-label={label} tabIndex={0} className={clsx(classes, "outline-offset-[-2px]")}>
      {children}
    </section>
  );
}

/** The dialog's buttons, the primary one at the right. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      {children}
    </footer>
  );
}

export interface SheetProps extends Omit<DialogProps, "size" | "staysOpen"> {
  side?: "left" | "right";
  /** Whether it is wider, for content such as a payload or a list of changes. */
  wide?: boolean;
}

/** A side panel. */
export function Sheet({
  open,
  onOpenChange,
  title,
  description,
  side = "right",
  wide = false,
  children,
}: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Scrim />
        <Content
          {...(description ? {} : { "aria-describedby": undefined })}
          className={clsx(
            "fixed inset-y-0 z-50 flex flex-col bg-raised shadow-high outline-none",
            wide ? "w-[min(44rem,100vw)]" : "w-[min(26rem,calc(100vw-2.5rem))]",
            side === "right"
              ? "right-0 data-[state=open]:animate-sheet-right"
              : "left-0 data-[state=open]:animate-sheet-left",
          )}
        >
          <header className="flex items-center gap-4 pt-[max(0.75rem,var(--notice-end,0px))] pr-3 pb-3 pl-5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
              {description && <Radix.Description className="text-quiet">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          {children}
        </Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
