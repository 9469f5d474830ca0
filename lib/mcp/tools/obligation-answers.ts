/** Obligations as they appear in results. */
import { z } from "zod";
import type { Obligation } from "#lib/obligations/schema.ts";
import { clip } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { day, joined, titled, words } from "../answers/words.ts";

export const ObligationLine = z.object({
  id: z.string(),
  contractId: z.string(),
  contractTitle: z.string().nullable(),
  counterpartyName: z.string().nullable(),
  kind: z.string(),
  title: z.string(),
  status: z.string(),
  dueDate: z.string().nullable(),
  dueDateBasis: z.string(),
  assigneeName: z.string(),
  description: z.string().nullable(),
  quotedClause: z.string().nullable(),
  link: z.string(),
});

interface InContract {
  contract?: { title: string };
  counterparty?: { name: string } | null;
}

/** Longer texts are cut. The web app shows all of them. */
const maxCharacters = 300;
const short = (text: string | null) => (text === null ? null : clip(text, maxCharacters));

export const obligationFrom = (obligation: Obligation & InContract) => ({
  ...obligation,
  contractTitle: obligation.contract?.title ?? null,
  counterpartyName: obligation.counterparty?.name ?? null,
  dueDate: day(obligation.resolvedDate),
  dueDateBasis: obligation.resolutionBasis,
  assigneeName: obligation.assignee.name,
  description: short(obligation.description),
  quotedClause: short(obligation.sourceText),
  link: linkTo.contract(obligation.contractId),
});

export function obligationLine(obligation: ReturnType<typeof obligationFrom>): string {
  const { id, kind, title, status, dueDate, contractTitle, counterpartyName, assigneeName, link } =
    obligation;
  const what = joined(
    words(kind),
    words(status),
    dueDate ? `due ${dueDate}` : "no date yet",
    contractTitle && `of ${titled(contractTitle)}`,
    counterpartyName && `with ${titled(counterpartyName)}`,
    `assigned to ${titled(assigneeName)}`,
  );
  return `- ${titled(title)}: ${what}. ${id} ${link}`;
}
