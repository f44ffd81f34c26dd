/** OAuth parameters: text, at most once each, of limited length; one sent without a value counts as not sent. */
const LENGTH_MAX = 4096;

export type GivenParameters = Readonly<Record<string, string | readonly string[] | undefined>>;
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Parameters that are sound, and the first thing that is wrong with the others. */
export function readParameters(given: GivenParameters): {
  readonly parameters: Parameters;
  readonly problem: string | undefined;
} {
  const parameters: Record<string, string | undefined> = {};
  let problem: string | undefined;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === "") continue;
    if (typeof value !== "string") problem ??= `${name} was sent more than once.`;
    else if (value.length > LENGTH_MAX) problem ??= `${name} is longer than ${LENGTH_MAX} characters.`;
    else if (value.includes("\0")) problem ??= `${name} holds a character that is not allowed.`;
    else parameters[name] = value;
  }
  return { parameters, problem };
}
