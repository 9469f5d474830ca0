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
        // No script: what it takes would come over with every page, in case that it does not exist.
        <a href="/home" className={buttonClass()}>
          Go to Home
        </a>
      }
    >
      It was removed, it belongs to another workspace, or the address is mistyped.
    </EmptyState>
  );
}
