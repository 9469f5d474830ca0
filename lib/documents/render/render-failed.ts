/** A document could not be rendered. The message is shown to members. */
export class RenderFailed extends Error {
  override name = "RenderFailed";
  /** Retrying would fail in the same way. */
  readonly isLasting: boolean;

  constructor(message: string, { isLasting = false } = {}) {
    super(message);
    this.isLasting = isLasting;
  }
}
