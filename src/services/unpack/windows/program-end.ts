/** The program has come to its end by itself. */
export class ProgramEnd extends Error {}
