/** A document could not be rendered. The message is for the members who see it. */
export class RenderFailed extends Error {
  override name = "RenderFailed";
  /** It would end the same way again. */
  readonly isLasting: boolean;

  constructor(message: string, { isLasting = false } = {}) {
    super(message);
    this.isLasting = isLasting;
  }
}
