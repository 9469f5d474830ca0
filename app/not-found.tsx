import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { buttonClass } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** The page for addresses that match no other page. */
export default function NotFound() {
  return (
    <Frame title="Page not found" lead="The address is mistyped, or what it led to no longer exists.">
      {/* A plain link: a component's script would be sent with every page, just in case the page does not exist. */}
      <a href="/" className={buttonClass("primary")}>
        Go to the start page
      </a>
    </Frame>
  );
}
