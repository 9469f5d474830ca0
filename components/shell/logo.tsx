import { clsx } from "clsx";

/** The logo: two pen strokes that meet, one for each party. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={clsx("inline-flex items-center gap-2 font-semibold tracking-[-0.01em]", className)}>
      <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6">
        <rect width="24" height="24" rx="6" className="fill-accent" />
        <path
          d="M5.5 14.5c2.2-5.6 4.3-8.3 5.4-7.5 1.4 1-2.3 8.6-.8 9.2 1.3.5 3-4.8 4.3-4.4 1 .3-.5 3.2.6 3.5.9.2 1.9-1 3.5-2.4"
          className="fill-none stroke-on-accent"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Countersign
    </span>
  );
}
