/**
 * What each method of a client library sends: called with words in place of values, with nothing leaving the process. Each recorder
 * answers a method's text by the operation that would get its request.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const SUBSCRIPTION = "zzsubscriptionIdzz";
const wordOf = (name) => `zz${name.replaceAll(/\W/g, "")}zz`;

class Sent extends Error {
  constructor(request) {
    super("noted");
    this.request = request;
  }
}
const note = async (request) => {
  throw new Sent(request);
};
/** Undefined where a method sends nothing. */
async function requestOf(call) {
  try {
    const made = await call();
    if (typeof made?.next === "function") await made.next();
  } catch (error) {
    if (error instanceof Sent) return error.request;
  }
  return undefined;
}

const IS_NO_VALUE = /^(?:_?options_?\d?|callback|optionalCallback)$/;
const OBJECT_BY_DEFAULT = /=\s*\{[^{}]*\}/g;
/** As their author called them, whatever they were compiled to. */
function valuesOf(method) {
  const text = Function.prototype.toString.call(method).replaceAll(OBJECT_BY_DEFAULT, "");
  const [, list = ""] = /^[^(]*\(([^)]*)\)/.exec(text) ?? [];
  const names = list.split(",").map((one) => one.trim().split(/[\s=]/)[0]);
  return names.filter((one) => one !== "" && !IS_NO_VALUE.test(one));
}
function namesOf(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names].filter((name) => !/^_|^constructor$|Next$/.test(name));
}
const NO_GROUP = /^(?:pipeline|credentials|requestPolicy)/;
function* methodsOf(client, before) {
  for (const group of namesOf(client)) {
    const held = client[group];
    if (typeof held !== "object" || held === null || NO_GROUP.test(group)) continue;
    for (const name of namesOf(held))
      if (typeof held[name] === "function")
        yield { text: `${before}.${group}.${name}`, held, method: held[name] };
  }
}

const respelt = (path) => path.replaceAll(/Microsoft\./gi, "Vendor.").toLowerCase();
/** Which operation answers there; what is in braces stands for any word. */
function findOperation(operations, method, path) {
  const wanted = respelt(path).replace(/\/$/, "").split("/");
  const fits = (segment, at) =>
    segment.startsWith("{") ? wanted[at].startsWith("zz") : segment === wanted[at];
  return operations.find((one) => {
    const segments = respelt(one.path).split("/");
    return one.method === method && segments.length === wanted.length && segments.every(fits);
  });
}
/** Where the word of an argument has arrived. An entity tag is shown as the one that stands for any. */
function placeOf(word, operation, url, { headers, body }) {
  if (headers?.get?.("if-match") === word) return '"*"';
  const at = url.pathname.split("/").indexOf(word);
  if (at >= 0) return operation.path.split("/")[at];
  for (const [name, value] of url.searchParams) if (value === word) return `{query.${name}}`;
  if (body === word || body === JSON.stringify(word)) return "{body}";
  if (!body?.includes(word)) return undefined;
  const found = Object.entries(JSON.parse(body)).find(([, value]) => value === word);
  return found && `{body.${found[0]}}`;
}

/** What waits for the end is better than what only begins, and a name that says less is better than a longer one. */
const rankOf = (text) =>
  (/\.begin\w*AndWait\(/.test(text) ? 1 : /\.begin\w*\(/.test(text) ? 2 : 0) * 1e6 + text.length;

/** Bytes are sent by methods of their own. */
const keyOf = (operation, isBytes) => (isBytes ? `${operation.id} bytes` : operation.id);

async function record(methods, operations, { last, each = () => "" }) {
  const calls = {};
  for (const { text, held, method } of methods) {
    const words = valuesOf(method).map(wordOf);
    const request = await requestOf(() => method.apply(held, words));
    if (!request || !URL.canParse(request.url)) continue;
    const url = new URL(request.url);
    const operation = findOperation(operations, request.method, url.pathname);
    if (!operation) continue;
    const body =
      typeof request.body === "object" && request.body ? JSON.stringify(request.body) : request.body;
    const places = words.map((word) => placeOf(word, operation, url, { headers: request.headers, body }));
    if (places.includes(undefined)) continue;
    const call = `${each(text)}${text}(${[...places, ...last(operation)].join(", ")})`;
    const key = keyOf(operation, /Stream$/.test(text));
    if (calls[key] === undefined || rankOf(call) < rankOf(calls[key])) calls[key] = call;
  }
  return calls;
}

/** What values may be is the library's business, and not looked at here. */
function liftRules({ prototype }) {
  prototype.serialize = (_mapper, value) => value;
  prototype.validateConstraints = () => undefined;
}
/** Some libraries insist on numbers and truth values where the address has words. */
const WITH_OPTIONS = { last: ({ typed }) => [`{${["options", ...typed].join(" ")}}`] };

export const recorders = {
  async "ms-rest-js"({ package: name, client, order, base }, operations, mount) {
    liftRules(createRequire(require.resolve(name))("@azure/ms-rest-js").Serializer);
    const given = {
      credentials: { signRequest: async (request) => request },
      subscription: SUBSCRIPTION,
      endpoint: "http://x",
      options: { httpClient: { sendRequest: note }, noRetryPolicy: true },
    };
    const made = new (require(name)[client])(...order.map((word) => given[word]));
    made.baseUri = `http://x${base ?? mount}`;
    return record(methodsOf(made, "client"), operations, WITH_OPTIONS);
  },
  async "core-client"({ package: name, client }, operations, mount) {
    liftRules(createRequire(require.resolve(name))("@azure/core-client").createSerializer().constructor);
    const credentials = {
      getToken: async () => ({ token: "x", expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
    };
    const options = {
      endpoint: `https://x${mount}`,
      httpClient: { sendRequest: note },
      retryOptions: { maxRetries: 0 },
    };
    const made = new (require(name)[client])(credentials, SUBSCRIPTION, options);
    const each = (text) => (/\.list/.test(text) ? "each " : "");
    return record(methodsOf(made, "client"), operations, { ...WITH_OPTIONS, each });
  },
  async "ms-rest"({ package: name }, operations, mount) {
    const { TokenCredentials } = createRequire(require.resolve(name))("ms-rest");
    const sent = ({ url, method, body }, _next, callback) => callback(new Sent({ url, method, body }));
    const options = { filters: [sent], noRetryPolicy: true };
    const made = new (require(name))(new TokenCredentials("x"), SUBSCRIPTION, `http://x${mount}`, options);
    made.serialize = (_mapper, value) => value;
    return record(methodsOf(made, "client"), operations, WITH_OPTIONS);
  },
  async "podcast-api"(_library, operations, mount) {
    const client = require("podcast-api").Client({ apiKey: "x" });
    const sent = (method) => (path) => note({ method, path });
    Object.assign(client.httpClient, { _get: sent("GET"), _post: sent("POST"), _delete: sent("DELETE") });
    const calls = {};
    for (const [name, method] of Object.entries(client)) {
      if (typeof method !== "function" || name === "httpClient") continue;
      const request = await requestOf(() => method({ id: wordOf("id"), domain_name: wordOf("domain_name") }));
      const operation = request && findOperation(operations, request.method, mount + request.path);
      if (operation) calls[operation.id] ??= `client.${name}({everything})`;
    }
    return calls;
  },
  async bunq({ package: name }, operations) {
    const silent = Object.fromEntries(
      ["log", "debug", "info", "warn", "error", "trace"].map((one) => [one, () => undefined]),
    );
    const store = { get: () => undefined, set: () => undefined, remove: () => undefined };
    const client = new (require(name).default)(store, silent);
    const methods = [...methodsOf(client.api, "client.api")].filter(({ held }) => held.ApiAdapter);
    for (const { held } of methods) {
      for (const verb of ["get", "post", "put", "delete"])
        held.ApiAdapter[verb] = (url, body) =>
          note({
            method: verb.toUpperCase(),
            url: `http://x/bank${url}`,
            body: verb === "get" || verb === "delete" ? undefined : body,
          });
      held.ApiAdapter.RequestLimitFactory = { create: () => ({ run: (work) => work({}) }) };
    }
    const isList = ({ method, query }) => method === "GET" && query.length > 0;
    return record(methods, operations, { last: (one) => (isList(one) ? WITH_OPTIONS.last(one) : []) });
  },
  /** Each operation is a command of the same name; words of the address are renamed where the client calls them otherwise. */
  async aws({ package: name }, operations) {
    const library = require(name);
    const calls = {};
    for (const { id, path, query } of operations) {
      const command = `${id.split(".").at(-1)}Command`;
      if (!library[command]) continue;
      const asked = [...[...path.matchAll(/\{(\w+)\}/g)].map(([, word]) => word), ...query];
      const renamed = asked
        .map((word) => [word, memberOf(new library[command]({}), word)])
        .filter(([word, member]) => word !== member)
        .map((pair) => pair.join("="));
      calls[id] = `client.send(new ${command}(${`{${["everything", ...renamed].join(" ")}}`}))`;
    }
    return calls;
  },
};
/** The client's own name for a word of the address: by what its schema says, or else the same but for capitals. */
function memberOf({ schema }, word) {
  const [, , , , members = [], kinds = []] = schema?.[4]?.() ?? [];
  const at = kinds.findIndex((kind) => Array.isArray(kind) && kind[1]?.httpQuery === word);
  return members[at] ?? members.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word;
}
