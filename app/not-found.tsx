import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { buttonClass } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** For addresses that are no page at all. */
export default function NotFound() {
  return (
    <Frame title="Page not found" lead="The address is mistyped, or what it led to no longer exists.">
      {/* No script: what it takes would come over with every page, in case that it does not exist. */}
      <a href="/" className={buttonClass("primary")}>
        Go to the start page
      </a>
    </Frame>
  );
}
