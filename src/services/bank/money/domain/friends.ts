/** Test contacts that exist in every sandbox. The local part of the e-mail address identifies them. */

const NAMES: Readonly<Record<string, string>> = { sugardaddy: "Sugar Daddy", bravo: "Bravo" };
const ADDRESS = /^([a-z]+)@[^@\s]+$/;

type Friend = { readonly display_name: string; readonly country: string; readonly is_light: boolean };
type Pointed = { readonly type: string; readonly value: string };
export function findFriend({ type, value }: Pointed): Friend | undefined {
  const [, local = ""] = type === "EMAIL" ? (ADDRESS.exec(value.trim().toLowerCase()) ?? []) : [];
  const name = Object.hasOwn(NAMES, local) ? NAMES[local] : undefined;
  return name === undefined ? undefined : { display_name: name, country: "NL", is_light: false };
}
/** Pays every request, up to a maximum. */
export const isGenerous = (pointed: Pointed): boolean =>
  findFriend(pointed)?.display_name === NAMES.sugardaddy;
