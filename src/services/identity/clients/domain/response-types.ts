/** The seven response types and where each may be answered. */
export const RESPONSE_TYPES = [
  "code",
  "id_token",
  "token",
  "token id_token",
  "code id_token",
  "code token",
  "code token id_token",
] as const;
export const RESPONSE_MODES = ["query", "fragment", "form_post"] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/**
 * Sorts the words into the order of the contract. Returns undefined if it is none of the seven response
 * types.
 */
export function normalResponseType(text: string): string | undefined {
  const words = text.split(" ");
  return RESPONSE_TYPES.find((known) => {
    const parts = known.split(" ");
    return parts.length === words.length && parts.every((part) => words.includes(part));
  });
}

/** Tokens must not end up in server logs, so they go into the fragment unless asked otherwise. */
export const defaultResponseMode = (responseType: string): ResponseMode =>
  carriesTokens(responseType) ? "fragment" : "query";

export const carriesTokens = (responseType: string): boolean =>
  /(?:^| )(?:id_)?token(?: |$)/.test(responseType);

/** Which grant types a client needs for a response type. */
export function grantTypesFor(responseTypes: readonly string[]): string[] {
  const grants: string[] = [];
  if (responseTypes.some((type) => type.split(" ").includes("code"))) grants.push("authorization_code");
  if (responseTypes.some(carriesTokens)) grants.push("implicit");
  return grants;
}
