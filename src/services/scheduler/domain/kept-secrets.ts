/** Secrets of a job, stored apart from its definition. */

/** `binding` identifies the use of the secret. A definition with another binding does not get it. */
export type KeptSecret = {
  readonly binding: string;
  readonly values: Readonly<Record<string, string>>;
};
/** By path, such as `action.request.authentication`. */
export type KeptSecrets = Readonly<Record<string, KeptSecret>>;
