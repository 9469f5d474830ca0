import { clsx } from "clsx";
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonVariant, buttonClass } from "./button.tsx";

export interface ButtonLinkProps extends ComponentProps<typeof NextLink> {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

/** A link that looks like a button, for actions that navigate: it can be opened in another tab. */
export function ButtonLink({ variant, size, className, ...rest }: ButtonLinkProps) {
  return <NextLink prefetch={false} {...rest} className={clsx(buttonClass(variant, size), className)} />;
}
