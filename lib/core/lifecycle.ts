/** States and transitions as data: one table serves the domain, the buttons, the API document and the tests. */
export type Lifecycle<Status extends string> = Readonly<Record<Status, State<Status>>>;

type State<Status extends string> = {
  /** The transitions that a person or a key may request. */
  to: readonly Status[];
  /** The transitions that the system makes. Listed in full: `to` does not imply them. */
  system?: readonly Status[];
  /** A sentence for a rejected caller: why, or what to do first. */
  why?: string;
};

export type Mover = "person" | "system";

export function movesFrom<Status extends string>(
  lifecycle: Lifecycle<Status>,
  from: Status,
  by: Mover = "person",
): readonly Status[] {
  const state = lifecycle[from];
  return by === "person" ? state.to : (state.system ?? []);
}

export function canMove<Status extends string>(
  lifecycle: Lifecycle<Status>,
  from: Status,
  to: Status,
  by: Mover = "person",
): boolean {
  return movesFrom(lifecycle, from, by).includes(to);
}

/** The message for a rejected transition: `DRAFT cannot become ACTIVE. Allowed from DRAFT: IN_REVIEW.` */
export function whyNot<Status extends string>(
  lifecycle: Lifecycle<Status>,
  from: Status,
  to: Status,
): string {
  const refused = from === to ? `The status is already ${from}.` : `${from} cannot become ${to}.`;
  const allowed = `Allowed from ${from}: ${movesFrom(lifecycle, from).join(", ") || "nothing"}.`;
  return [refused, allowed, lifecycle[from].why].filter(Boolean).join(" ");
}
