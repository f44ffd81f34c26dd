/** Text that every database accepts: without NUL and lone surrogates. */
const UNKEPT = /\0|\p{Surrogate}/gu;

export const storable = (text: string): string => text.replace(UNKEPT, "\ufffd");
