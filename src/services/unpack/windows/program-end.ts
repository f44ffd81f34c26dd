/** The program ended by itself. */
export class ProgramEnd extends Error {}
