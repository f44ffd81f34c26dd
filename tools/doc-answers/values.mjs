/** Values for parameters and bodies: from the answers of a run, else from the declarations. */
import { readFileSync } from "node:fs";

const hints = JSON.parse(readFileSync(new URL("hints.json", import.meta.url), "utf8"));
/** Of an operation by its id, else of many by the beginning of their ids, which ends with `*`. */
const hintOf = (kind, id) =>
  hints[kind][id] ??
  Object.entries(hints[kind]).find(([name]) => name.endsWith("*") && id.startsWith(name.slice(0, -1)))?.[1];
const CANDIDATES_MAX = 3;
const IF_MATCH = /^if-match$/i;
const KNOWN_MAX = 12;
const OBJECTS_MAX = 20;
const NAMED_MAX = 60;
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

/** Template and request path as parts, below the mount. */
const partsOf = (path) => path.split("?")[0].split("/").filter(Boolean);
/** Examples name an account that does not exist here. */
const EXAMPLE_ACCOUNT = /123456789012/g;
const EXISTS_MARK = "-2";
/** The same with other names, for what exists already. */
const renamed = (body) =>
  body === null || typeof body !== "object" || Array.isArray(body)
    ? body
    : Object.fromEntries(
        Object.entries(body).map(([name, member]) => [
          name,
          typeof member === "string" && /name$|^id$/i.test(name)
            ? `${member}${EXISTS_MARK}`
            : /^(?:properties|body)$|Plan$|Selection$/i.test(name)
              ? renamed(member)
              : member,
        ]),
      );

export class Values {
  #byPath = new Map();
  #byName = new Map();
  /** Paths that answered, by the part of their templates up to a parameter; the newest first. */
  #known = new Map();
  /** Names that are paths themselves, such as `projects/demo/services/hello`. */
  #pathNames = new Set();
  constructor(medley) {
    this.account = medley.credentials.accounts[0];
  }
  /** What an answer tells about the things that exist. `operations`: all of the service. */
  note(operation, { method, path }, body, operations) {
    if (method !== "DELETE") this.#notePrefixes(operation.path, path);
    this.#noteItems(operation, { method, path }, body, operations);
    const place = path.split("?")[0];
    if (method === "GET" || method === "POST" || method === "PUT")
      this.#byPath.set(place, [...(this.#byPath.get(place) ?? []), body]);
    for (const object of objectsIn(body))
      for (const [name, value] of Object.entries(object)) {
        if (!isScalar(value)) continue;
        if (String(value).includes("/")) this.#pathNames.add(value);
        const plain = plainName(name);
        this.#noteName(plain, value);
      }
    this.#noteIds(partsOf(operation.path), body);
  }
  /** A thing that is there: the template of its path below the mount, and its path. */
  know(template, path) {
    this.#notePrefixes(template, path);
  }
  /** For `{name}` in hints. */
  name(name, value) {
    this.#noteName(plainName(name), value);
  }
  #noteName(name, value) {
    const known = this.#byName.get(name) ?? new Set();
    // What was seen last is the newest.
    known.delete(value);
    if (known.size < NAMED_MAX) this.#byName.set(name, known.add(value));
  }
  /** What `/payments` lists or makes is at `/payments/{id}`. */
  #noteItems({ path: template }, { method, path }, body, operations) {
    if (method !== "GET" && method !== "POST") return;
    const inner = operations.find((one) => one.path.startsWith(`${template}/{`) && one.path.endsWith("}"));
    if (!inner || inner.path.slice(template.length + 2).includes("/")) return;
    const objects = [...objectsIn(body)].slice(0, OBJECTS_MAX);
    const ids = isScalar(body)
      ? [body]
      : objects.flatMap(({ id, uuid }) => [id, uuid].filter(isScalar)).slice(0, CANDIDATES_MAX);
    const [place] = path.split("?");
    for (const id of ids.reverse()) this.#notePrefixes(inner.path, `${place}/${encodeURIComponent(id)}`);
  }
  /** What `/payment-batch` or `/payment-batches/{id}` answers has the `paymentBatchId`. */
  #noteIds(parts, body) {
    const resource = plainName(parts.filter((part) => !part.includes("{")).at(-1) ?? "");
    const names = [resource, resource.replace(/ies$/, "y"), resource.replace(/s$/, "")];
    for (const object of objectsIn(body))
      for (const member of ["id", "uuid"])
        if (isScalar(object[member]))
          for (const name of names) this.#noteName(`${name}${member}`, object[member]);
  }
  /** The address of work that an answer named in its headers. */
  noteAddress(address, operations) {
    const { pathname } = new URL(address, "http://localhost");
    for (const { path } of operations) {
      const shape = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
      if (path.includes("{") && new RegExp(`${shape}$`).test(pathname)) this.#notePrefixes(path, pathname);
    }
  }
  #notePrefixes(template, path) {
    const [wanted, given] = [partsOf(template), partsOf(path)];
    const mounted = given.length - wanted.length;
    if (mounted < 0) return;
    for (let end = 1; end <= wanted.length; end += 1) {
      if (!wanted[end - 1].includes("{")) continue;
      const name = wanted.slice(0, end).join("/");
      const prefix = `/${given.slice(0, mounted + end).join("/")}`;
      const others = (this.#known.get(name) ?? []).filter((one) => one !== prefix);
      this.#known.set(name, [prefix, ...others].slice(0, KNOWN_MAX));
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
  #candidates(parameter, prefix, described, { isMade, isLast, hint }) {
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
    const declared = told.filter((one) => one !== undefined).map((one) => this.#owned(one));
    const isNew = isMade && declared.length > 0;
    const fresh = isNew && isLast ? declared.map((one) => `${one}${EXISTS_MARK}`) : [];
    const all = isNew ? [...declared, ...fresh, ...found, ...named] : [...found, ...named, ...declared];
    const { type, pattern, enum: choices } = described?.schema ?? {};
    const isFitting = (text) =>
      (type !== "integer" || /^\d+$/.test(text)) &&
      (pattern === undefined || new RegExp(pattern).test(text)) &&
      (choices === undefined || choices.includes(text));
    const fitting = [...(hint === undefined ? [] : [hint]), ...all.map(String).filter(isFitting)];
    return [...new Set(fitting)].slice(0, CANDIDATES_MAX);
  }
  *#paths({ mount, operations }, { id, path, method, segments }, parameters) {
    const parts = path.split("/").filter(Boolean);
    const describedAs = (name) => parameters.find((one) => one.in === "path" && one.name === name);
    const self = this;
    const last = parts.at(-1) ?? "";
    const collection = path.slice(0, path.lastIndexOf("/"));
    // What can be made by POST is changed by PUT.
    const isMade =
      method === "PUT" &&
      last.includes("{") &&
      !operations.some((one) => one.method === "POST" && one.path === collection);
    const given = hintOf("params", id) ?? {};
    function* from(at, prefix) {
      if (at === parts.length) return yield prefix;
      const part = parts[at];
      const names = [...part.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      if (names.length === 0) return yield* from(at + 1, `${prefix}/${part}`);
      const [name] = names;
      for (const value of self.#candidates(name, prefix, describedAs(name), {
        isMade,
        isLast: at === parts.length - 1,
        hint: given[name] && self.#owned(given[name]),
      })) {
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
    if (Object.keys(given).length > 0) yield* from(0, mount === "/" ? "" : mount);
    // What is put at the end is new; all else exists already.
    for (let end = parts.length - (isMade ? 1 : 0); end > 0; end -= 1) {
      const newest = this.#known.get(parts.slice(0, end).join("/")) ?? [];
      // What was just made may be removed; all else is shown with demo data, which is older.
      const known = method === "DELETE" ? newest : newest.toReversed();
      for (const prefix of known) yield* from(end, prefix);
      if (known.length > 0 && isMade) break;
    }
    yield* from(0, mount === "/" ? "" : mount);
  }
  /** Examples with the account that is here. */
  #owned(value) {
    const text = JSON.stringify(value);
    return text === undefined ? value : JSON.parse(text.replace(EXAMPLE_ACCOUNT, this.account.id));
  }
  /** References in a body to things that exist, by the names of its members. */
  #referring(body, parent = "") {
    if (Array.isArray(body)) return body.map((one) => this.#referring(one, parent));
    if (body === null || typeof body !== "object") return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const plain = plainName(name);
        // `{"assignment": {"id": …}}`, `"podcast_ids": […]`, and `"form": "frm_1m7f"`.
        const names = [...(plain === "id" && parent ? [`${parent}id`] : []), plain, plain.replace(/s$/, "")];
        if (typeof value === "string" && /^[a-z]+_\w{8,}$/.test(value)) names.push(`${plain}id`);
        const known = names
          .map((one) => [...(this.#byName.get(one) ?? [])].at(-1))
          .find((one) => one !== undefined);
        const isReference = /(?:id|arn|uuid)s?$/i.test(name) || names.length > 3;
        if (isReference && known !== undefined) {
          if (typeof value === typeof known) return [name, known];
          if (Array.isArray(value) && typeof value[0] === typeof known) return [name, [known]];
        }
        return [name, this.#referring(value, plain)];
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
            this.#owned(operation.examples?.query?.[name] ?? example ?? exampleOf(schema)),
          ])
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
      ).toString();
    const [content] = Object.values(requestBody?.content ?? {});
    const example = content && this.#owned(operation.examples?.body ?? exampleOf(content.schema));
    const hinted = content && hintOf("bodies", operation.id);
    const bodies =
      content && !/^(?:GET|HEAD)$/.test(operation.method)
        ? [
            ...(hinted ? [this.#owned(this.#filled(hinted))] : []),
            this.#referring(example),
            example,
            usual(example),
            renamed(example),
          ]
        : [undefined];
    const different = [...new Map(bodies.map((one) => [JSON.stringify(one), one])).values()];
    const asked = hintOf("queries", operation.id);
    const queries = [
      ...(asked ? [new URLSearchParams(asked).toString()] : []),
      ...new Set([queryOf(true), queryOf(false)]),
    ];
    const headers = Object.fromEntries(
      parameters
        .filter((one) => one.in === "header" && (one.required || IF_MATCH.test(one.name)))
        .map(({ name, example, schema }) => [
          name,
          IF_MATCH.test(name) ? "*" : String(example ?? exampleOf(schema)),
        ]),
    );
    for (const path of this.#paths(service, operation, parameters))
      for (const body of different)
        for (const query of queries)
          yield { method: operation.method, path: query ? `${path}?${query}` : path, headers, body };
  }
}
