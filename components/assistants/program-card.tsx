import { Bot } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import type { AssistantProgram } from "#lib/assistants/schema.ts";

/** The program that asks for access, and what is known about it. */
export function ProgramCard({ program }: { program: AssistantProgram }) {
  const { name, host, isVerified } = program;
  return (
    <Card className="flex gap-3 p-4">
      <span className="grid size-9 shrink-0 place-items-center rounded-xl bg-accent-soft text-accent">
        <Bot aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <div className="wrap-anywhere min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
          {host}
          <Badge tone={isVerified ? "good" : "warn"}>{isVerified ? "Verified" : "Not verified"}</Badge>
        </p>
        <p className="mt-2 text-quiet text-xs">{trustNote(program)}</p>
      </div>
    </Card>
  );
}

function trustNote({ host, isVerified, returnsTo }: AssistantProgram): string {
  if (isVerified) return `${host} confirms that this program is its own.`;
  const careful = "Continue only if you have just started this yourself.";
  if (returnsTo === "computer") return `It runs on your computer, where no site can vouch for it. ${careful}`;
  if (returnsTo === "app") return `It is an app on your device that no site vouches for. ${careful}`;
  return `Anyone can choose this name: no site vouches for it. Access is given to ${host}. ${careful}`;
}
