import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode, Ref } from "react";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent shadow-low hover:bg-accent-strong",
  secondary: "border border-line bg-paper text-ink shadow-low hover:bg-hover",
  quiet: "text-quiet hover:bg-hover hover:text-ink",
  danger: "bg-danger-fill text-on-danger shadow-low hover:opacity-90",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-7 gap-1.5 px-2.5 text-xs",
  md: "h-8 gap-1.5 px-3 text-sm",
  lg: "h-10 gap-2 px-4 text-base",
};

/** The classes of a button, for links and triggers that should look like one. */
export function buttonClass(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return clsx(
    "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md font-medium",
    "transition-colors duration-100 disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
  );
}

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Whether its action is running. The button then shows a spinner at the same width, and is disabled. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant, size, busy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={clsx(buttonClass(variant, size), "relative", className)}
    >
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <LoaderCircle aria-hidden className="animate-turn" />
        </span>
      )}
      {/* Only made transparent while busy, so that it still gives the button its name. */}
      <span className={clsx("inline-flex items-center gap-[inherit]", busy && "opacity-0")}>{children}</span>
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "busy" | "children" | "aria-label"> {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  children: ReactNode;
}

export function IconButton({
  label,
  className,
  children,
  variant = "quiet",
  size = "md",
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(
        buttonClass(variant, size),
        "!px-0",
        size === "sm" ? "w-7" : size === "lg" ? "w-10" : "w-8",
        className,
      )}
    >
      {children}
    </button>
  );
}
