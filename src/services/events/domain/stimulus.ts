/** A message to an input, which triggers an evaluation. */
export type MessageStimulus = {
  readonly kind: "message";
  readonly inputName: string;
  readonly messageId: string;
  readonly payload: unknown;
  readonly atMs: number;
};
