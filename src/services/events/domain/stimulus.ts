/** A message of an input, which makes a detector or an alarm evaluate its model. */
export type MessageStimulus = {
  readonly kind: "message";
  readonly inputName: string;
  readonly messageId: string;
  readonly payload: unknown;
  readonly atMs: number;
};
