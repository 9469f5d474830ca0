/** The props that both views of the document share. */
import type { CeremonyState, OwnField } from "#lib/doors/sign-client.ts";
import type { Entries } from "./entries.ts";
import type { Visit } from "./visit.ts";

export interface Filling {
  state: CeremonyState;
  entries: Entries;
  /** Requests a picture from the server. */
  ask: Visit["ask"];
  /** Puts the signature or initials into the field; if it is filled, offers to change or remove them. */
  onSign(field: OwnField): void;
  onNext(): void;
  onFocus(field: OwnField): void;
  /** Called after a checkbox was ticked or an option chosen. */
  onFilled(field: OwnField): void;
}
