/** Text as every database keeps it: without NUL, and without halves of surrogate pairs. */
const UNKEPT = /\0|\p{Surrogate}/gu;

export const storable = (text: string): string => text.replace(UNKEPT, "\ufffd");
