/** What a declaration tells beyond its summary: effect, credential, limits, pages, and the operations around it. */
import type { TSchema } from "@sinclair/typebox";
import { anyone, type Operation } from "../operation/operation.ts";
import type { Service } from "../operation/service.ts";

const KB = 1024;
const MB = KB * KB;
const sizeOf = (bytes: number): string =>
  bytes >= MB
    ? `${Math.round((bytes / MB) * 10) / 10} MB`
    : bytes >= KB
      ? `${Math.round(bytes / KB)} KB`
      : `${bytes} bytes`;

function effectOf({ method, transaction, answers }: Operation): string {
  const isReading = method === "GET" || method === "HEAD" || method === "OPTIONS";
  if (transaction === "read" || (isReading && transaction === undefined)) return "Read-only.";
  const whole =
    transaction === "manual"
      ? "Runs in several short transactions."
      : "Runs in one transaction: all of its changes are made, or none.";
  return 202 in answers ? `${whole} After 202 the work continues in the background.` : whole;
}
function credentialOf({ permission, alsoNeeds = [], credentialOptional, notesCallers }: Operation): string {
  if (permission === anyone)
    return notesCallers ? "A credential is optional and identifies the caller." : "No credential is needed.";
  const needed = [permission, ...alsoNeeds].map((one) => `\`${one}\``).join(" and ");
  return `${credentialOptional ? "A credential is optional. If one is sent, it needs" : "The credential needs"} the permission ${needed}.`;
}
function limitsOf({ bodyBytesMax, urlBytesMax, timeoutSeconds, noStore, crossOrigin }: Operation): string[] {
  return [
    bodyBytesMax === undefined ? "" : `The body may have at most ${sizeOf(bodyBytesMax)}.`,
    urlBytesMax === undefined ? "" : `The URL may have at most ${sizeOf(urlBytesMax)}.`,
    timeoutSeconds === undefined ? "" : `Times out after ${timeoutSeconds} seconds.`,
    noStore ? "The response is never cached." : "",
    crossOrigin ? "Requests from all origins are allowed (CORS)." : "",
  ].filter((sentence) => sentence !== "");
}
const PAGE_SIZES = /^(?:limit|max_?results|\$?top|page_?size|count|take)$/i;
function pagesOf({ query }: Operation): string | undefined {
  const members = Object.entries((query?.properties ?? {}) as Record<string, TSchema>);
  const size = members.find(([name]) => PAGE_SIZES.test(name));
  if (!size) return undefined;
  const [name, { maximum, default: usual }] = size;
  const bounds = [
    usual === undefined ? "" : `default ${usual}`,
    maximum === undefined ? "" : `at most ${maximum}`,
  ].filter((one) => one !== "");
  return `The response is one page; \`${name}\` is the page size${bounds.length > 0 ? ` (${bounds.join(", ")})` : ""}.`;
}

export type Around = { readonly before: readonly Operation[]; readonly after: readonly Operation[] };
const AROUND_MAX = 5;
const placeOf = (path: string): string => path.replace(/\{\w+\}/g, "{}").replace(/\/$/, "");
const collectionOf = (place: string): string => place.replace(/\/\{\}$/, "");
/** `/vaults/{}` for `/vaults/{}/lock`, and for itself: the thing that the last parameter names. */
const thingOf = (place: string): string => place.slice(0, place.lastIndexOf("{}") + 2);
const isMaking = ({ method }: Operation): boolean => method === "POST" || method === "PUT";

const byPlace = new WeakMap<readonly Operation[], ReadonlyMap<string, readonly Operation[]>>();
function placesIn(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const known = byPlace.get(operations);
  if (known) return known;
  const made = new Map<string, Operation[]>();
  for (const one of operations) {
    const place = placeOf(one.path);
    made.set(place, [...(made.get(place) ?? []), one]);
  }
  byPlace.set(operations, made);
  return made;
}

/** What makes or finds the thing that an operation needs, and what can be done with it afterwards. */
export function aroundOf({ operations }: Service, operation: Operation): Around {
  const places = placesIn(operations);
  const place = placeOf(operation.path);
  const thing = thingOf(place);
  const at = (where: string) => (places.get(where) ?? []).filter((one) => one !== operation);
  const collection = collectionOf(thing);
  const makers = [...at(thing).filter(({ method }) => method === "PUT"), ...at(collection).filter(isMaking)];
  const finders = at(collection).filter(({ method }) => method === "GET");
  const isCollection = !place.includes("{}") || thing !== place;
  const things = isCollection ? [...at(`${place}/{}`), ...at(place)] : at(place);
  const before = thing.includes("{}") ? [...makers, ...finders] : [];
  const after = things.filter((one) => !before.includes(one));
  return { before: before.slice(0, AROUND_MAX), after: after.slice(0, AROUND_MAX) };
}

/** Sentences in Markdown, derived; what was written by hand comes before them. */
export function derivedSentencesOf(operation: Operation): readonly string[] {
  const pages = pagesOf(operation);
  return [
    effectOf(operation),
    credentialOf(operation),
    ...limitsOf(operation),
    ...(pages === undefined ? [] : [pages]),
  ];
}
/** The description of an operation as OpenAPI has it. */
export function descriptionOf(service: Service, operation: Operation): string {
  const { before, after } = aroundOf(service, operation);
  const named = (list: readonly Operation[]) => list.map(({ id }) => `\`${id}\``).join(", ");
  return [
    ...(operation.description === undefined ? [] : [operation.description]),
    derivedSentencesOf(operation).join(" "),
    ...(before.length > 0 ? [`Call first: ${named(before)}.`] : []),
    ...(after.length > 0 ? [`Related: ${named(after)}.`] : []),
  ].join("\n\n");
}
