/** Parses `a=1&b=2` of queries and forms. It uses native functions, so that a long text does not block others. */
import { unescape as lenientlyDecoded } from "node:querystring";

const ENCODED = /%[0-9a-f]{2}/i;

/** Invalid encodings are decoded as far as possible. */
function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") && ENCODED.test(spaced) ? lenientlyDecoded(spaced) : spaced;
}

/** Objects without a prototype, as fast as normal ones; `Object.create(null)` is slower. */
class Pairs<Value = string | string[]> {
  [name: string]: Value;
}
Object.setPrototypeOf(Pairs.prototype, null);
// A query may use any name, and must not find this one.
delete (Pairs.prototype as { constructor?: unknown }).constructor;

/** A key that is given several times becomes a list. */
export function parsePairs(text: string, keysMax: number): Record<string, string | string[]> {
  const values = new Pairs();
  for (const pair of text.split("&", keysMax)) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decoded(pair.slice(equals + 1));
    const known = values[name];
    if (known === undefined) values[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else values[name] = [known, value];
  }
  return values;
}

type Values = Readonly<Record<string, unknown>>;
/** The same with declared names; `names` has them by lower case. A name in two spellings counts as given twice. */
export function respelt(given: Values, names: ReadonlyMap<string, string>): Values {
  const isMeant = (name: string) => (names.get(name.toLowerCase()) ?? name) === name;
  if (Object.keys(given).every(isMeant)) return given;
  const values = new Pairs<unknown>();
  for (const [name, value] of Object.entries(given)) {
    const declared = names.get(name.toLowerCase()) ?? name;
    values[declared] = declared in values ? [values[declared], value].flat() : value;
  }
  return values;
}

/** Some clients repeat a parameter of the link. The same value counts once, unless several are wanted. */
export function eachOnce(given: Values, takesSeveral: (name: string) => boolean): Values {
  const isRepeated = ([name, value]: [string, unknown]) =>
    Array.isArray(value) && value.every((one) => one === value[0]) && !takesSeveral(name);
  const repeated = Object.entries(given).filter(isRepeated);
  if (repeated.length === 0) return given;
  const values = Object.assign(new Pairs<unknown>(), given);
  for (const [name, all] of repeated) values[name] = (all as string[])[0];
  return values;
}
