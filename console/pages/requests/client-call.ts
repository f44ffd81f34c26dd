/** A request written as a call of the library that people use for its service, or as a plain fetch where that has no such call. */
import { mountOf } from "../../services.ts";
import { headersOf, isHidden, membersOf, paramsOf, queryOf, type RequestDetail } from "./sent.ts";

/** As tools/client-calls.mjs writes them: how it is set up, and a call for each operation with places for values. */
type Client = {
  readonly setup: readonly string[];
  readonly setupOverHttp?: readonly string[];
  readonly calls: Readonly<Record<string, string>>;
};
const files = import.meta.glob<readonly Client[]>("../../clients/*.json", { import: "default" });

type Members = Readonly<Record<string, unknown>>;
type Values = {
  readonly params: Members;
  readonly query: Members;
  readonly body: unknown;
  /** As an expression, of what is no text. */
  readonly bytes: string | undefined;
};

const SECRET = "process.env.MEDLEY_SECRET";
/** Written as a program writes it, with a variable for what is secret. */
const literal = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? "undefined").replaceAll(/"[^"\n]*\[redacted\][^"\n]*"/g, SECRET);
const bufferOf = (base64: string): string => `Buffer.from("${base64}", "base64")`;
const membersIn = (body: unknown): Members =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Members) : {};
const without = (members: Members, names: ReadonlySet<string>): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)));

/** Numbers and truth values become what they are, and names of the makers' query language lose their mark. */
const optionsOf = (members: Members, typed: readonly string[]): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/^\$/, ""),
      typed.includes(name) && /^(?:true|false|-?[\d.]+)$/.test(String(value))
        ? JSON.parse(String(value))
        : value,
    ]),
  );

/** `everything -left renamed=otherwise`: all that the request says, as one object. */
function everythingOf(words: readonly string[], { params, query, body }: Values): Members {
  const all: Members = { ...params, ...query, ...membersIn(body) };
  const left = new Set(words.filter((word) => word.startsWith("-")).map((word) => word.slice(1)));
  const renamed = new Map(
    words.map((word): [string, string] => [word.split("=")[0] ?? "", word.split("=")[1] ?? ""]),
  );
  return Object.fromEntries(
    Object.entries(without(all, left)).map(([name, value]) => [renamed.get(name) || name, value]),
  );
}

/** What a place stands for; undefined where there is nothing to say. */
function filled(place: string, values: Values, used: ReadonlySet<string>): string | undefined {
  const { params, query, body, bytes } = values;
  const [word = "", ...rest] = place.split(" ");
  if (word === "body") return bytes ?? literal(body);
  if (word.startsWith("body.")) return literal(membersIn(body)[word.slice(5)]);
  if (word.startsWith("query.")) return literal(query[word.slice(6)]);
  if (word === "everything") return literal(everythingOf(rest, values));
  if (word === "request")
    return literal({ ...params, ...query, ...(body !== undefined && { requestBody: body }) });
  if (word === "options") {
    const members = used.has("body") ? {} : without(membersIn(body), used);
    const options = optionsOf({ ...without(query, new Set(["api-version", ...used])), ...members }, rest);
    return Object.keys(options).length === 0 ? undefined : literal(options);
  }
  return literal(params[word]);
}

function fill(call: string, values: Values): string {
  const used = new Set(
    [...call.matchAll(/\{(?:body|query)\.([\w-]+)\}|\{(body)\}/g)].map(
      ([, name, whole]) => name ?? whole ?? "",
    ),
  );
  return call.replaceAll(/(, )?\{([^{}]+)\}/g, (_whole, comma = "", place: string) => {
    const text = filled(place, values, used);
    return text === undefined ? "" : comma + text;
  });
}

function headersText(request: RequestDetail): string {
  const { proof } = request;
  return headersOf(request)
    .map(([name, value]) => {
      if (name === "authorization" && /^bearer$/i.test(proof?.scheme ?? ""))
        return `    ${name}: \`Bearer \${process.env.MEDLEY_TOKEN}\`,`;
      const text =
        name === "authorization" || isHidden(value) ? "process.env.MEDLEY_API_KEY" : JSON.stringify(value);
      return `    ${JSON.stringify(name)}: ${text},`;
    })
    .join("\n");
}
function fetchOf(request: RequestDetail): string {
  const { method, url, request: sent } = request;
  const members = /json/.test(sent.type) ? membersOf(request) : undefined;
  const body =
    sent.bytes !== undefined
      ? bufferOf(sent.bytes)
      : members === undefined
        ? JSON.stringify(sent.body)
        : `JSON.stringify(${literal(members).replaceAll("\n", "\n  ")})`;
  return `const answer = await fetch("${location.origin}${url}", {
  method: "${method}",
  headers: {
${headersText(request)}
  },${sent.length === 0 ? "" : `\n  body: ${body},`}
});
console.log(answer.status, await answer.text());`;
}

/** The call of an operation as the usual library of its service writes it; undefined where that has no such call. */
export async function libraryCallOf(
  service: string,
  key: string | undefined,
  values: Values,
  region = "us-east-1",
): Promise<string | undefined> {
  const clients = (await files[`../../clients/${service}.json`]?.()) ?? [];
  const client = clients.find(({ calls }) => key !== undefined && calls[key] !== undefined);
  const call = client?.calls[key ?? ""];
  if (!client || call === undefined) return undefined;
  const isOverHttp = location.protocol === "http:";
  const known: Members = {
    origin: location.origin,
    mount: mountOf(service),
    region,
    command: /new (\w+Command)/.exec(call)?.[1] ?? "",
    subscriptionId: values.params.subscriptionId ?? "",
    "query.api-version": values.query["api-version"] ?? "",
  };
  const setup = [...client.setup, ...(isOverHttp ? (client.setupOverHttp ?? []) : [])]
    .join("\n")
    .replaceAll(/\{([\w.-]+)\}/g, (whole, name) => String(known[name] ?? whole));
  const [, each, text = ""] = /^(each )?(.*)$/s.exec(call) ?? [];
  const done = fill(text, values);
  return `${setup}\n\n${each ? `for await (const one of ${done}) console.log(one);` : `console.log(await ${done});`}`;
}

export async function clientCallOf(request: RequestDetail): Promise<string> {
  const { matched, service, request: sent, proof } = request;
  const key = sent.bytes === undefined ? matched?.id : `${matched?.id} bytes`;
  const values: Values = {
    params: paramsOf(request),
    query: queryOf(request),
    body: membersOf(request),
    bytes: sent.bytes === undefined ? undefined : bufferOf(sent.bytes),
  };
  return (await libraryCallOf(service, key, values, proof?.region)) ?? fetchOf(request);
}
