/** What both views of the document are given. */
import type { CeremonyState, OwnField } from "#lib/doors/sign-client.ts";
import type { Entries } from "./entries.ts";

export interface Filling {
  state: CeremonyState;
  entries: Entries;
  /** What was drawn or uploaded in this visit, as a PNG in base64: the server keeps it to itself. */
  image: string | null;
  /** Puts the signature or the initials there; what is there already can be changed or taken off. */
  onSign(field: OwnField): void;
  onNext(): void;
  onFocus(field: OwnField): void;
  /** Something was ticked or chosen. */
  onFilled(field: OwnField): void;
}
