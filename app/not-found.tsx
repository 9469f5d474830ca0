import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** For addresses that are no page at all. */
export default function NotFound() {
  return (
    <Frame
      title="There is no such page"
      lead="The address is mistyped, or it led to something that is not there any more."
    >
      <ButtonLink href="/" variant="primary">
        Go to the start
      </ButtonLink>
    </Frame>
  );
}
