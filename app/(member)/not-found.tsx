"use client";
import { SearchX } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/states.tsx";

export default function NotFound() {
  return (
    <EmptyState icon={SearchX} title="Not found" action={<ButtonLink href="/home">Go to Home</ButtonLink>}>
      It was removed, it belongs to another workspace, or the address is mistyped.
    </EmptyState>
  );
}
