/** Values for parameters and bodies: from the answers of a run, else from the declarations. */
import { readFileSync } from "node:fs";

const hints = JSON.parse(readFileSync(new URL("hints.json", import.meta.url), "utf8"));
const CANDIDATES_MAX = 3;
const plainName = (name) => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase();
const isScalar = (value) => ["string", "number"].includes(typeof value) && value !== "";

/** Every object inside, the outer ones first. */
function* objectsIn(value, depth = 0) {
  if (value === null || typeof value !== "object" || depth > 6) return;
  if (!Array.isArray(value)) yield value;
  for (const member of Array.isArray(value) ? value.slice(0, 20) : Object.values(value))
    yield* objectsIn(member, depth + 1);
}
/** `vaultName` names a vault: `vaultName`, `name`, `id` of what its list answers, in this order. */
function namesFor(parameter) {
  const plain = plainName(parameter);
  const ending = /(?:name|id|arn|code|number|version|key)$/.exec(plain)?.[0];
  return [plain, ...(ending ? [ending] : []), "id", "name", "uuid"];
}

function exampleOf(schema = {}) {
  if (schema.examples?.length > 0) return schema.examples[0];
  for (const name of ["default", "const"]) if (schema[name] !== undefined) return schema[name];
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([name, member]) => [
      name,
      exampleOf(member),
      member,
    ]);
    const needed = new Set(schema.required ?? []);
    const told = members.filter(
      ([name, value]) => value !== undefined && (needed.size === 0 || needed.has(name)),
    );
    return Object.fromEntries(told.map(([name, value]) => [name, value]));
  }
  if (schema.items) return [exampleOf(schema.items)].filter((one) => one !== undefined);
  const [choice] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }) => type !== "null");
  if (choice) return exampleOf(choice);
  return { boolean: true, integer: schema.minimum ?? 1, number: schema.minimum ?? 1 }[schema.type];
}

/** People are found by an address that always pays; pictures are left out. */
function usual(body) {
  if (Array.isArray(body)) return body.map(usual);
  if (body === null || typeof body !== "object") return body;
  if (body.type === "IBAN" && "value" in body)
    return { type: "EMAIL", value: "sugardaddy@example.org", name: "Sugar Daddy" };
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !/avatar|attachment|co_owner/.test(name))
      .map(([name, member]) => [name, usual(member)]),
  );
}

export class Values {
  #byPath = new Map();
  #byName = new Map();
  /** Names that are paths themselves, such as `projects/demo/services/hello`. */
  #pathNames = new Set();
  constructor(medley) {
    this.account = medley.credentials.accounts[0];
  }
  /** What an answer tells about the things that exist. */
  note({ method, path }, body) {
    const place = path.split("?")[0];
    if (method === "GET" || method === "POST" || method === "PUT")
      this.#byPath.set(place, [...(this.#byPath.get(place) ?? []), body]);
    for (const object of objectsIn(body))
      for (const [name, value] of Object.entries(object)) {
        if (!isScalar(value)) continue;
        if (String(value).includes("/")) this.#pathNames.add(value);
        const plain = plainName(name);
        const known = this.#byName.get(plain) ?? new Set();
        if (known.size < 30) this.#byName.set(plain, known.add(value));
      }
  }
  /** Paths of things that were named as a whole; the oldest first, which is demo data. */
  *#namedPaths(mount, path) {
    const [, version = "", template] = /^(\/v\d+\w*)?\/(.*)$/.exec(path) ?? [];
    const end = (template?.lastIndexOf("}") ?? -1) + 1;
    if (end === 0 || !template.includes("/")) return;
    const shape = new RegExp(`^${template.slice(0, end).replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    for (const name of this.#pathNames)
      if (shape.test(name)) yield `${mount}${version}/${name}${template.slice(end)}`;
  }
  /** The newest first: what was just made may be changed and removed. */
  #candidates(parameter, prefix, described, method) {
    const names = namesFor(parameter);
    const found = [];
    for (const body of [...(this.#byPath.get(prefix) ?? [])].reverse())
      for (const name of names)
        for (const object of objectsIn(body))
          for (const [own, value] of Object.entries(object))
            if (plainName(own) === name && isScalar(value)) found.push(value);
    const named = [...(this.#byName.get(plainName(parameter)) ?? [])].reverse();
    const told = [
      described?.example,
      ...(described?.schema?.examples ?? []),
      ...(described?.schema?.enum ?? []),
    ];
    const declared = told.filter((one) => one !== undefined);
    const isNew = method === "PUT" && declared.length > 0;
    const all = isNew ? [...declared, ...found, ...named] : [...found, ...named, ...declared];
    return [...new Set(all.map(String))].slice(0, CANDIDATES_MAX);
  }
  *#paths(mount, { path, method, segments }, parameters) {
    const parts = path.split("/").filter(Boolean);
    const describedAs = (name) => parameters.find((one) => one.in === "path" && one.name === name);
    const self = this;
    function* from(at, prefix) {
      if (at === parts.length) return yield prefix;
      const part = parts[at];
      const names = [...part.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      if (names.length === 0) return yield* from(at + 1, `${prefix}/${part}`);
      const [name] = names;
      for (const value of self.#candidates(name, prefix, describedAs(name), method)) {
        const isNested = value.includes("/") && segments?.[name] !== undefined;
        const spelled = isNested
          ? value.split("/").map(encodeURIComponent).join("/")
          : encodeURIComponent(value);
        yield* from(at + 1, `${prefix}/${part.replaceAll(/\{\w+\}/g, spelled)}`);
      }
    }
    if (method === "GET" || method === "PATCH") {
      const named = [...this.#namedPaths(mount === "/" ? "" : mount, path)];
      yield* named.slice(0, 1);
    }
    yield* from(0, mount === "/" ? "" : mount);
  }
  /** References in a body to things that exist, by the names of its members. */
  #known(body) {
    if (Array.isArray(body)) return body.map((one) => this.#known(one));
    if (body === null || typeof body !== "object") return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const known = [...(this.#byName.get(plainName(name)) ?? [])].at(-1);
        const isReference =
          /(?:id|arn|uuid)s?$/i.test(name) && known !== undefined && typeof value === typeof known;
        return [name, isReference ? known : this.#known(value)];
      }),
    );
  }
  /** `{member}` in a hint is the newest value of that name. */
  #filled(hint) {
    return JSON.parse(
      JSON.stringify(hint).replaceAll(/"\{(\w+)\}"/g, (_whole, name) =>
        JSON.stringify([...(this.#byName.get(plainName(name)) ?? [])].at(-1) ?? name),
      ),
    );
  }
  *requestsFor(service, operation, { parameters = [], requestBody }) {
    const queryOf = (isWhole) =>
      new URLSearchParams(
        parameters
          .filter(
            (one) =>
              one.in === "query" && (one.required || (isWhole && operation.examples?.query?.[one.name])),
          )
          .map(({ name, example, schema }) => [
            name,
            operation.examples?.query?.[name] ?? example ?? exampleOf(schema),
          ])
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
      ).toString();
    const [content] = Object.values(requestBody?.content ?? {});
    const example = content && (operation.examples?.body ?? exampleOf(content.schema));
    const hinted = content && hints[operation.id];
    const bodies =
      content && !/^(?:GET|HEAD)$/.test(operation.method)
        ? [...(hinted ? [this.#filled(hinted)] : []), this.#known(example), example, usual(example)]
        : [undefined];
    const different = [...new Map(bodies.map((one) => [JSON.stringify(one), one])).values()];
    const queries = [...new Set([queryOf(true), queryOf(false)])];
    for (const path of this.#paths(service.mount, operation, parameters))
      for (const body of different)
        for (const query of queries)
          yield { method: operation.method, path: query ? `${path}?${query}` : path, body };
  }
}
