/** Something wrong with what was asked for at the start; its text says what to do. */
export class OptionError extends Error {}
