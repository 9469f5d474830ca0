import { clsx } from "clsx";
import type { ReactNode, Ref } from "react";

export interface CardProps {
  className?: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

export function Card({ className, ref, children }: CardProps) {
  return (
    <div ref={ref} className={clsx("rounded-lg border border-line bg-paper", className)}>
      {children}
    </div>
  );
}

export interface SectionProps {
  title: string;
  /** Buttons at the right of the heading. */
  actions?: ReactNode;
  hint?: ReactNode;
  /** The target of links to this section. */
  id?: string;
  className?: string;
  children: ReactNode;
}

/** A section of a page, with a heading. */
export function Section({ title, actions, hint, id, className, children }: SectionProps) {
  return (
    <section aria-label={title} id={id} className={clsx(id && "scroll-mt-20", className)}>
      <div className="mb-2.5 flex min-h-8 items-center gap-3">
        <h2 className="wrap-break-word font-semibold text-base">{title}</h2>
        {hint && <span className="text-faint text-xs">{hint}</span>}
        {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
