import { ChevronRight } from "lucide-react";
import NextLink from "next/link";
import type { ReactNode } from "react";

export interface Crumb {
  label: string;
  href: string;
}

export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="mb-1 flex items-center gap-1 text-quiet text-xs">
      {crumbs.map(({ label, href }, index) => (
        <span key={href} className="flex min-w-0 items-center gap-1">
          {index > 0 && <ChevronRight aria-hidden className="size-3 shrink-0 text-faint" />}
          <NextLink
            href={href}
            prefetch={false}
            title={label}
            className="truncate rounded-sm hover:text-ink hover:underline"
          >
            {label}
          </NextLink>
        </span>
      ))}
    </nav>
  );
}

export interface PageHeaderProps {
  title: string;
  /** Shown after the title: a status or a count. */
  badge?: ReactNode;
  crumbs?: Crumb[];
  description?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, badge, crumbs, description, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-52">
        {crumbs && <Breadcrumbs crumbs={crumbs} />}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-xl tracking-[-0.015em]">{title}</h1>
          {badge}
        </div>
        {description && <div className="mt-1 text-quiet">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
    </header>
  );
}
