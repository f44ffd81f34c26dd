/** Secrets of a job, kept apart from its definition. */

/** A secret belongs to what it is presented to: `binding` says to whom, so that it can't be sent elsewhere unseen. */
export type KeptSecret = {
  readonly binding: string;
  readonly values: Readonly<Record<string, string>>;
};
/** By the place of what they authenticate, such as `action.request.authentication`. */
export type KeptSecrets = Readonly<Record<string, KeptSecret>>;
