/** Errors of an operation and their causes, from the error messages that the build collects. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { html, type Markup } from "#kernel/html";
import { anyone, type KernelErrorName, type Operation, type Service } from "#kernel/operation";
import { workerFile } from "#kernel/workers";

type Words = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
let known: Words | undefined;
function wordsOf(service: string, kind: string): readonly string[] {
  const file = join(workerFile(import.meta.url, "console"), "error-words.json");
  known ??= existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Words) : {};
  return known[service]?.[kind] ?? known["*"]?.[kind] ?? [];
}

/** Errors that every operation may return. */
const GENERAL: Readonly<Partial<Record<KernelErrorName, string>>> = {
  invalidInput: "A parameter or the body does not fit its declaration; the message names the member.",
  unauthenticated: "The credential is missing, unknown, expired or revoked.",
  forbidden: "The credential is valid, but a policy or its scopes do not allow this.",
  throttled: "Too many requests at a time; `Retry-After` says when to come back.",
  unavailable: "The database is away, or the server is stopping; the request had no effect.",
};
/** Errors with many causes, described by a word in their code. */
const BY_WORD: readonly (readonly [RegExp, string])[] = [
  [/NotFound|NoSuch/, "Something that the request names is not there."],
  [/Missing/, "A parameter or member that is needed is missing; the message names it."],
  [/Exists/, "There is one of that name already."],
  [/Limit|Quota|TooMany|Throttl/, "A limit is reached; the message names it."],
  [/Denied|Forbidden|Unauthori/, "A policy of the account or of the thing does not allow this."],
  [/Conflict|InProgress|State|Locked/, "The thing is in a state, or in a change, that does not allow this."],
  [/Invalid|Validation|Bad|Malformed/, "A value breaks a rule of the service; the message names it."],
];
const OPERATIONS_FEW = 30;
/** In a large service, messages describe an operation only if few operations share the error. */
function isTelling({ operations }: Service, code: string): boolean {
  if (operations.length <= OPERATIONS_FEW) return true;
  const users = operations.filter(({ errors = [] }) => errors.some((one) => one.code === code));
  return users.length <= OPERATIONS_FEW;
}
/** Descriptions by status, for codes that describe nothing. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: "Something in the request breaks a rule of the service; the message names it.",
  401: "The credential is missing or not accepted here.",
  403: "The caller may not do this with this thing.",
  404: "Something that the path or the body names is not there.",
  409: "The thing is in a state that does not allow this, or it exists already.",
  410: "It was there, and is gone.",
  412: "The thing has changed since it was read.",
  413: "The content is larger than allowed.",
  415: "The type of the content is not understood.",
  422: "The content is understood, but cannot be used.",
  423: "The thing is locked.",
  429: "A limit is reached; the message names it.",
  466: "The session requires a signature of the request.",
  501: "The combination of parameters is not supported.",
  503: "What is needed for it is away; try again.",
};

type DescribedError = { readonly status: number; readonly code: string; readonly when: readonly string[] };
export function errorsOf(service: Service, operation: Operation): readonly DescribedError[] {
  const own = (operation.errors ?? []).map(({ status, code }): DescribedError => {
    const words = isTelling(service, code) ? wordsOf(service.name, `${status} ${code}`) : [];
    const general = BY_WORD.find(([word]) => word.test(code))?.[1] ?? BY_STATUS[status];
    return { status, code, when: words.length > 0 ? words : [general ?? "The message says why."] };
  });
  const names = { ...service.protocol.errorNames, ...service.errorNames };
  const isOpen = operation.permission === anyone;
  const general = Object.entries(GENERAL)
    .filter(([name]) => !isOpen || (name !== "unauthenticated" && name !== "forbidden"))
    .map(([name, when]): DescribedError => {
      const [code, status] = names[name as KernelErrorName];
      return { status, code, when: [when] };
    });
  const seen = new Set<string>();
  return [...own, ...general]
    .filter(({ status, code }) => !seen.has(`${status} ${code}`) && seen.add(`${status} ${code}`))
    .sort((a, b) => a.status - b.status);
}

export const errorsList = (errors: readonly DescribedError[], prose: (text: string) => Markup): Markup =>
  html`<h4>Errors</h4><dl class="errors">${errors.map(
    ({ status, code, when }) =>
      html`<div><dt><code>${status}</code> ${code === String(status) ? "" : code}</dt>${when.map((text) => html`<dd>${prose(text)}</dd>`)}</div>`,
  )}</dl>`;
