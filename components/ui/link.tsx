import { clsx } from "clsx";
import NextLink from "next/link";
import type { ComponentProps } from "react";

/** The look of a link in text: underlined, so that colour is not its only sign. */
export const linkClass =
  "rounded-sm text-accent underline decoration-accent/35 underline-offset-2 hover:decoration-accent";

export function Link({ className, ...rest }: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...rest} className={clsx(linkClass, className)} />;
}

/**
 * A link that is a name in a table, a heading or a sentence: ink until it is pointed at. A name that is written from
 * right to left leaves what stands around it where it is.
 */
export function NameLink({ className, children, ...rest }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink
      prefetch={false}
      {...rest}
      className={clsx(
        "rounded-sm font-medium text-ink decoration-edge underline-offset-2 hover:underline",
        className,
      )}
    >
      <bdi>{children}</bdi>
    </NextLink>
  );
}
