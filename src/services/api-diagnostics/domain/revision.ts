/** Revision names: `orders;rev=2` is revision 2 of `orders`. The current revision has the plain name. */
const REVISION = /^(.+);rev=([1-9]\d{0,3})$/i;

export function revisionOf(name: string): { readonly base: string; readonly revision: string | undefined } {
  const [, base = name, revision] = REVISION.exec(name) ?? [];
  return { base, revision };
}
export const revisionName = (base: string, revision: string): string => `${base};rev=${revision}`;
export const isRevisionNumber = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text);
