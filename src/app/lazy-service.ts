/**
 * Services that are loaded on first use. The build writes an outline of every service with the data that a
 * start needs. All other members are getters that load the service's modules.
 */
import type { Service } from "#kernel/operation";

type Plain = Readonly<Record<string, unknown>>;
/** Plain members, and the names of members that need the service's modules. */
type Parts = { readonly plain: Plain; readonly loaded: readonly string[] };
export type Outline = Parts & {
  readonly operationCount: number;
  readonly protocol: Parts;
  readonly gateway?: Parts;
  readonly adminOperations?: readonly Parts[];
  readonly jobs?: readonly Parts[];
  readonly migrations?: readonly string[];
  readonly provides?: readonly string[];
};

/** Members with a separate outline. */
const OUTLINED = new Set(["protocol", "gateway", "adminOperations", "jobs", "migrations", "provides"]);
/** Whether JSON can represent the value. Schemas have symbol keys and do not qualify. */
const isPlain = (value: unknown): boolean =>
  value === null ||
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlain)) ||
  (typeof value === "object" && isPlainObject(value));
const isPlainObject = (value: object): boolean =>
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.getOwnPropertySymbols(value).length === 0 &&
  Object.values(value).every(isPlain);
/** Large texts that a start does not need. */
const BULKY = new Set(["sharedWords", "errorNames"]);
const isKept = ([name, value]: [string, unknown]): boolean => !BULKY.has(name) && isPlain(value);

export function outlineOf(service: Service): Outline {
  const members = Object.entries(service).filter(([name]) => !OUTLINED.has(name));
  const { protocol, gateway, adminOperations, jobs, migrations, provides } = service;
  return {
    ...partsOf(Object.fromEntries(members)),
    operationCount: service.operations.length,
    protocol: partsOf(protocol),
    ...(gateway && { gateway: partsOf(gateway) }),
    ...(adminOperations && { adminOperations: adminOperations.map(partsOf) }),
    ...(jobs && { jobs: jobs.map(partsOf) }),
    ...(migrations && { migrations: Object.keys(migrations) }),
    ...(provides && { provides: provides.map(({ port }) => port.name) }),
  };
}
function partsOf(whole: object): Parts {
  const members = Object.entries(whole).filter(([, value]) => value !== undefined);
  return {
    plain: Object.fromEntries(members.filter(isKept)),
    loaded: members.filter((member) => !isKept(member)).map(([name]) => name),
  };
}

export function lazyService(outline: Outline, load: () => Service): Service {
  let known: Service | undefined;
  const loaded = (): Service => {
    known ??= load();
    return known;
  };
  const { plain, operationCount, protocol, gateway, adminOperations, jobs, migrations, provides } = outline;
  const service = {
    ...plain,
    operationCount,
    protocol: lazily(protocol, () => loaded().protocol),
    ...(gateway && { gateway: lazily(gateway, () => loaded().gateway) }),
    ...(adminOperations && {
      adminOperations: adminOperations.map((operation, at) =>
        lazily(operation, () => loaded().adminOperations?.[at]),
      ),
    }),
    ...(jobs && { jobs: jobs.map((job, at) => lazily(job, () => loaded().jobs?.[at])) }),
    ...(migrations && {
      migrations: Object.fromEntries(
        migrations.map((name) => [
          name,
          lazily({ plain: {}, loaded: ["up"] }, () => loaded().migrations?.[name]),
        ]),
      ),
    }),
    ...(provides && {
      provides: provides.map((name, at) =>
        lazily({ plain: { port: { name } }, loaded: ["implement"] }, () => loaded().provides?.[at]),
      ),
    }),
  };
  return lazily({ plain: service, loaded: outline.loaded }, loaded) as Service;
}

/** Reading one of the other members loads the whole object. */
function lazily({ plain, loaded }: Parts, load: () => object | undefined): object {
  const made = { ...plain };
  for (const name of loaded)
    Object.defineProperty(made, name, { enumerable: true, get: () => (load() as Plain)[name] });
  return made;
}
