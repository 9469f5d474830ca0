"use client";
import { SearchX } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";

export default function NotFound() {
  return (
    <EmptyState
      icon={SearchX}
      title="Not found"
      action={
        // A plain link: a component's script would be sent with every page, just in case the page does not exist.
        <a href="/home" className={buttonClass()}>
          Go to Home
        </a>
      }
    >
      It was removed, it belongs to another workspace, or the address is mistyped.
    </EmptyState>
  );
}
