/**
 * A file cannot be accepted. The message is for its sender, and continues a sentence that begins with the field's
 * name.
 */
export class UnacceptableFile extends Error {}
