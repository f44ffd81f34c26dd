/**
 * Expands entities that a document declares. Only plain text values are expanded, which prevents
 * exponential expansion. Values with other entities, and external entities, stay unexpanded.
 */

const DECLARED_WITHIN = 65_536;
const CHARACTERS_MAX = 100_000;
const SUBSET = /<!DOCTYPE[^[<>]{0,500}\[/i;
const DECLARATION =
  /<!ENTITY\s{1,20}([\w.-]{1,40})\s{1,20}(?:"((?:[^"&%<]|&#x?[\da-f]{1,7};){0,1000})"|'((?:[^'&%<]|&#x?[\da-f]{1,7};){0,1000})')\s{0,20}>/gi;
const REFERENCE = /&([\w.-]{1,40});/g;
/** Entities that XML predefines. */
const DEFINED: ReadonlySet<string> = new Set(["amp", "lt", "gt", "quot", "apos"]);

function declaredIn(text: string): Map<string, string> {
  const beginning = text.slice(0, DECLARED_WITHIN);
  const values = new Map<string, string>();
  const found = SUBSET.exec(beginning);
  if (!found) return values;
  const from = found.index + found[0].length;
  const until = beginning.indexOf("]", from);
  for (const [, name = "", double, single] of beginning
    .slice(from, until < 0 ? undefined : until)
    .matchAll(DECLARATION))
    if (!DEFINED.has(name) && !values.has(name))
      values.set(name, (double ?? single ?? "").replaceAll('"', "&quot;").replaceAll(">", "&gt;"));
  return values;
}

/** References inside CDATA stay, because they are text there. */
export function withDeclaredEntities(text: string): string {
  const values = declaredIn(text);
  if (values.size === 0) return text;
  let room = CHARACTERS_MAX;
  const valueFor = (reference: string, name: string): string => {
    const value = values.get(name);
    if (value === undefined || value.length > room) return reference;
    room -= value.length;
    return value;
  };
  let whole = "";
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf("<![CDATA[", at);
    const close = open < 0 ? -1 : text.indexOf("]]>", open);
    const end = close < 0 ? text.length : close;
    whole += text.slice(at, open < 0 ? end : open).replace(REFERENCE, valueFor);
    if (open >= 0) whole += text.slice(open, end);
    at = end;
  }
  return whole;
}
