/** The example of an operation as a call with curl, and as a call in Python. */

import { openApiOperationOf } from "#kernel/openapi";
import { anyone, type Operation, type Service } from "#kernel/operation";
import { exampleOf } from "./docs-answers.ts";

type Credential = { readonly curl: string; readonly headers: readonly string[]; readonly auth?: string };
const NO_CREDENTIAL: Credential = { curl: "", headers: [] };
const SIGNED = "sigv4";
const signingNameOf = ({ protocol, name }: Service): string =>
  /signed for ([\w-]+)/.exec(String(protocol.security?.scheme.description))?.[1] ?? name;

function credentialOf(service: Service, operation: Operation): Credential {
  const { security } = service.protocol;
  if (operation.permission === anyone) return NO_CREDENTIAL;
  switch (security?.name) {
    case "apiKey":
      return {
        curl: `-H "${String(security.scheme.name)}: $MEDLEY_API_KEY"`,
        headers: [`"${String(security.scheme.name)}": os.environ["MEDLEY_API_KEY"]`],
      };
    case "basic":
      return {
        curl: '-u "$MEDLEY_USERNAME:$MEDLEY_PASSWORD"',
        headers: [],
        auth: '(os.environ["MEDLEY_USERNAME"], os.environ["MEDLEY_PASSWORD"])',
      };
    case SIGNED:
      return {
        curl: `--aws-sigv4 "aws:amz:us-east-1:${signingNameOf(service)}" -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"`,
        headers: [],
      };
    default:
      return {
        curl: '-H "Authorization: Bearer $MEDLEY_TOKEN"',
        headers: ['"Authorization": f"Bearer {os.environ[\'MEDLEY_TOKEN\']}"'],
      };
  }
}

type Members = Readonly<Record<string, unknown>>;
const entriesOf = (members: unknown): [string, string][] =>
  Object.entries((members ?? {}) as Members).map(([name, value]) => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
/** Of several kinds of bodies, the first one is the usual one. */
const isForm = ({ bodyKinds: [kind] = ["json"] }: Operation): boolean => kind === "form";
function addressOf(
  { mount }: Service,
  { path }: Operation,
  params: Members | undefined,
  origin: string,
): string {
  return `${origin}${mount === "/" ? "" : mount}${path.replace(/\{(\w+)\}/g, (whole, name) => String(params?.[name] ?? whole))}`;
}
type Header = {
  readonly in: string;
  readonly name: string;
  readonly required: boolean;
  readonly example?: unknown;
};
/** Headers that the operation needs besides the credential, each with its example. */
function neededHeadersOf(service: Service, operation: Operation): [name: string, value: string][] {
  if (!operation.headers) return [];
  const { parameters = [] } = openApiOperationOf(service, operation) as {
    readonly parameters?: readonly Header[];
  };
  return parameters
    .filter((one) => one.in === "header" && one.required)
    .map(({ name, example }) => [name, String(example)]);
}
type Sent = { readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> } };
type Schema = {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly format?: string;
  readonly examples?: readonly unknown[];
};
const ANY_TYPE = /\*/;
/** The type of a file that is the whole body. Undefined: the body is something else. */
function fileTypeOf(service: Service, operation: Operation): string | undefined {
  const { bodyKinds: [kind] = ["json"], body } = operation;
  if (body === undefined || (kind !== "binary" && kind !== "stream")) return undefined;
  const { requestBody } = openApiOperationOf(service, operation) as Sent;
  const type = Object.keys(requestBody?.content ?? {}).find((one) => !ANY_TYPE.test(one));
  return type ?? "application/octet-stream";
}
type FormField = readonly [name: string, values: readonly string[] | undefined];
/** Fields that a form with a file needs. Without values: the file. Undefined: the body is something else. */
function formFieldsOf(service: Service, operation: Operation): readonly FormField[] | undefined {
  const { bodyKinds: [kind] = ["json"], body } = operation;
  if (body === undefined || kind !== "multipart") return undefined;
  const { requestBody } = openApiOperationOf(service, operation) as Sent;
  const { schema } = Object.values(requestBody?.content ?? {})[0] as { readonly schema: Schema };
  return (schema.required ?? []).map((name): FormField => {
    const member = schema.properties?.[name];
    if (member?.format === "binary") return [name, undefined];
    return [name, [member?.examples?.[0] ?? ""].flat().map(String)];
  });
}
const FORM_WITH_FILES = /^multipart\/form-data/;
const FILE_MARK = "@";
type SentParts = {
  readonly body: unknown;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Of a file that is the whole body. */
  readonly fileType?: string | undefined;
  readonly fields?: readonly FormField[] | undefined;
};
function sentOf(service: Service, operation: Operation): SentParts {
  const { body } = exampleOf(service, operation);
  const headers = neededHeadersOf(service, operation);
  const others = headers.filter(([, value]) => !FORM_WITH_FILES.test(value));
  // A form that is read while it comes in is declared by its header alone.
  if (others.length < headers.length) {
    const fields = entriesOf(body).map(
      ([name, value]): FormField => [name, value.startsWith(FILE_MARK) ? undefined : [value]],
    );
    return { body: undefined, headers: others, fields };
  }
  if (body !== undefined) return { body, headers };
  return {
    body,
    headers,
    fileType: fileTypeOf(service, operation),
    fields: formFieldsOf(service, operation),
  };
}
const formInShell = (fields: readonly FormField[]): string[] =>
  fields.flatMap(
    ([name, values]) => values?.map((value) => `-F ${inShell(`${name}=${value}`)}`) ?? `-F ${name}=@FILE`,
  );
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curlOf(service: Service, operation: Operation, origin: string): string {
  const { params, query } = exampleOf(service, operation);
  const { body, fileType, fields, ...parts } = sentOf(service, operation);
  const words = new URLSearchParams(entriesOf(query)).toString();
  const method = operation.method === "GET" ? "" : ` -X ${operation.method}`;
  const address = `curl${method} "${addressOf(service, operation, params, origin)}${words ? `?${words}` : ""}"`;
  const file = fileType === undefined ? [] : [`-H "Content-Type: ${fileType}" --data-binary @FILE`];
  const sent =
    body === undefined
      ? fields
        ? formInShell(fields)
        : file
      : isForm(operation)
        ? entriesOf(body).map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`)
        : [`-H "Content-Type: application/json" -d ${inShell(JSON.stringify(body))}`];
  const headers = parts.headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`);
  return [address, credentialOf(service, operation).curl, ...headers, ...sent]
    .filter((part) => part !== "")
    .join(" \\\n  ");
}

/** A value as Python writes it, inside a call. */
function pythonOf(value: unknown, margin = "    "): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${margin}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => pythonOf(one, inner))
    : Object.entries(value).flatMap(([name, one]) =>
        one === undefined ? [] : [`${JSON.stringify(name)}: ${pythonOf(one, inner)}`],
      );
  const [begin, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${begin}${end}`;
  return `${begin}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${margin}${end}`;
}

/** A call with `requests`. Undefined for signed services: there people use boto3, which the page adds. */
export function requestsCallOf(service: Service, operation: Operation, origin: string): string | undefined {
  if (service.protocol.security?.name === SIGNED) return undefined;
  const { params, query } = exampleOf(service, operation);
  const { body, fileType, fields = [], ...parts } = sentOf(service, operation);
  const { headers, auth } = credentialOf(service, operation);
  const [file] = fields.filter(([, values]) => values === undefined);
  const texts = fields.filter(([, values]) => values !== undefined);
  const needed = parts.headers.map((pair) => pair.map((text) => JSON.stringify(text)).join(": "));
  const type = fileType === undefined ? [] : [`"Content-Type": "${fileType}"`];
  const typed = [...headers, ...needed, ...type];
  const given: readonly (readonly [name: string, value: string | undefined])[] = [
    ["headers", typed.length > 0 ? `{${typed.join(", ")}}` : undefined],
    ["auth", auth],
    ["params", Object.keys(query ?? {}).length > 0 ? pythonOf(query) : undefined],
    [isForm(operation) ? "data" : "json", body === undefined ? undefined : pythonOf(body)],
    ["data", fileType === undefined ? undefined : 'open("FILE", "rb")'],
    ["files", file && `{"${file[0]}": open("FILE", "rb")}`],
    ["data", texts.length > 0 ? pythonOf(Object.fromEntries(texts)) : undefined],
  ];
  const needsSecret = headers.length > 0 || auth !== undefined;
  return [
    ...(needsSecret ? ["import os"] : []),
    "import requests",
    "",
    `answer = requests.${operation.method.toLowerCase()}(`,
    `    "${addressOf(service, operation, params, origin)}",`,
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [`    ${name}=${value},`])),
    ")",
    "print(answer.status_code, answer.text)",
  ].join("\n");
}
