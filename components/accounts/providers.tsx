"use client";
import { Button } from "#components/ui/button.tsx";
import { signInWithSso } from "#lib/doors/session-client.ts";

export interface ProvidersProps {
  /** Where to go after signing in. */
  next: string;
  providers: { id: string; name: string }[];
}

/** Buttons for single sign-on, below a password form; nothing if no provider is configured. */
export function Providers({ next, providers }: ProvidersProps) {
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="lg"
          className="wrap-anywhere h-auto min-h-10 *:whitespace-normal py-2"
          onClick={() => void signInWithSso(id, next)}
        >
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
