/** What makes a file unfit to be taken. The message is for who sent it, and reads after the field's name. */
export class Unfit extends Error {}
