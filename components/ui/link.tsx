import { clsx } from "clsx";
import NextLink from "next/link";
import type { ComponentProps } from "react";

/** The classes of a link in text: underlined, so that it does not differ from text by color alone. */
export const linkClass =
  "rounded-sm text-accent underline decoration-accent/35 underline-offset-2 hover:decoration-accent";

export function Link({ className, ...rest }: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...rest} className={clsx(linkClass, className)} />;
}

/**
 * A link that is a name in a table, a heading or a sentence: looks like text until it is hovered. It is
 * isolated, so that a name written from right to left does not reorder the text around it.
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
