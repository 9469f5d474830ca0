import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** An error that concerns the whole form. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p role="alert" className="flex gap-2 rounded-md bg-tone-bad px-3 py-2 text-on-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
