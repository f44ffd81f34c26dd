/** Which entities a pattern's text names: `{city:destination}` names `city` and its role. */
const MENTION = /\{([^{}]*)\}/g;
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export type Mention = { readonly entity: string; readonly role: string | undefined };

function mentionOf(inside: string): Mention {
  const trimmed = inside.trim();
  const colon = trimmed.lastIndexOf(":");
  const isChild = colon > 0 && trimmed[colon - 1] === ":";
  if (colon < 0 || isChild) return { entity: trimmed, role: undefined };
  return { entity: trimmed.slice(0, colon).trim(), role: trimmed.slice(colon + 1).trim() };
}

export const mentionsIn = (text: string): readonly Mention[] =>
  [...text.matchAll(MENTION)].map(([, inside = ""]) => mentionOf(inside));

/** The text after an entity, or a role of it, got another name. */
export const afterRenamingIn = (
  text: string,
  { entity, role }: { readonly entity: string; readonly role?: string },
  to: string,
): string =>
  text.replaceAll(MENTION, (whole, inside: string) => {
    const mention = mentionOf(inside);
    if (!same(mention.entity, entity)) return whole;
    if (role === undefined) return `{${to}${mention.role === undefined ? "" : `:${mention.role}`}}`;
    return mention.role !== undefined && same(mention.role, role) ? `{${mention.entity}:${to}}` : whole;
  });
