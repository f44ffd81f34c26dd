/** The older notation of `.lu` files: `$Name:simple`, `$PREBUILT:number`, `$List:value=`, `$Parts:[A, B]`, `$Name:/expression/`. */
import { PREBUILTS_OF_THE_MAKER } from "../domain/prebuilt-names.ts";

export type OlderDefinition =
  | { readonly kind: "simple"; readonly name: string; readonly roles: string[] }
  | { readonly kind: "prebuilt"; readonly name: string; readonly roles: string[] }
  | { readonly kind: "composite"; readonly name: string; readonly roles: string[]; readonly parts: string[] }
  | { readonly kind: "regex"; readonly name: string; readonly roles: string[]; readonly pattern: string }
  | { readonly kind: "list"; readonly name: string; readonly roles: string[]; readonly value: string }
  | { readonly kind: "phraselist"; readonly name: string; readonly isExchangeable: boolean }
  /** An unknown definition, or one of another tool. It is ignored. */
  | { readonly kind: "other" };

const namesIn = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter(Boolean);

/** `number Roles=[from, to]`: the text before the roles, and the roles. */
function withRoles(text: string): { readonly type: string; readonly roles: string[] } {
  const found = /\sroles[\t ]{0,9}=/i.exec(text);
  if (!found) return { type: text, roles: [] };
  const given = text.slice(found.index + found[0].length);
  return { type: text.slice(0, found.index).trim(), roles: namesIn(given.replace(/[[\]]/g, "")) };
}

/** The line without its `$`. Returns undefined if it has no colon. */
export function findOlderDefinition(text: string): OlderDefinition | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  const name = text.slice(0, colon).trim();
  const { type, roles } = withRoles(text.slice(colon + 1).trim());
  if (/^prebuilt$/i.test(name)) return { kind: "prebuilt", name: type, roles };
  if (/^simple$/i.test(type)) return { kind: "simple", name, roles };
  if (/^phraselist\b/i.test(type))
    return { kind: "phraselist", name, isExchangeable: /interchangeable/i.test(type) };
  if (/^qna-alterations\s*=?$/i.test(type)) return { kind: "other" };
  if (type.startsWith("/"))
    return { kind: "regex", name, roles, pattern: /^\/(.*)\/$/.exec(type)?.[1] ?? type };
  if (type.startsWith("["))
    return { kind: "composite", name, roles, parts: namesIn(type.replace(/[[\]]/g, "")) };
  if (type.endsWith("=")) return { kind: "list", name, roles, value: type.slice(0, -1).trim() };
  const prebuilt = PREBUILTS_OF_THE_MAKER.find((one) => one.toLowerCase() === type.toLowerCase());
  return prebuilt === undefined ? { kind: "other" } : { kind: "prebuilt", name: prebuilt, roles };
}
