/** Asks the admin interface: by the operations' ids, with the types of its own OpenAPI document. */
import { type Answers, type Inputs, type OperationId, operations } from "./generated/operations.ts";
import { Store } from "./shared-value.ts";

export type Session = Answers["medley.session.show"];
export type SignedIn = Required<Session>;
/** Whoever is signed in is told in full. */
export const whoIn = (known: Session | undefined): SignedIn | undefined =>
  known?.signedIn ? (known as SignedIn) : undefined;

/** Undefined until the server was asked. */
export const session = new Store<Session | undefined>(undefined);
/** Whether somebody was signed in here whose session has ended without their doing. */
export const hasEnded = new Store(false);

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Parts = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};
export type Sending = { readonly signal?: AbortSignal; readonly file?: Blob };

const UNREACHABLE = new Problem(0, "Unreachable", "The server does not answer.");
/** Whether the server answered when it was last asked for anything. */
export const isThere = new Store(true);

export function addressOf(id: OperationId, { params = {}, query = {} }: Parts): string {
  const path = operations[id].path.replace(/\{(\w+)\}/g, (_whole, name) =>
    encodeURIComponent(String(params[name])),
  );
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") words.set(name, String(value));
  const text = words.toString();
  return text === "" ? path : `${path}?${text}`;
}

async function problemOf(answer: Response): Promise<Problem> {
  const told = await answer.json().catch(() => undefined);
  const { code = "Error", message = `The server answered ${answer.status}.` } = told?.error ?? {};
  return new Problem(answer.status, code, message);
}

/** When this page last changed something. It may have been loaded because of a change, so that counts as one. */
let changedMs = Date.now();
/** What is shown may be old, but not older than the last change. */
const oldAllowed = (): string => `max-stale=${Math.max(0, Math.floor((Date.now() - changedMs) / 1000))}`;

/** The answer as it comes, for streams and bytes; whatever is no success is thrown. */
export async function send(id: OperationId, parts: Parts, { signal, file }: Sending = {}): Promise<Response> {
  const { body } = parts;
  const who = whoIn(session.value);
  const { method } = operations[id];
  const headers: Record<string, string> = { "x-medley-console": "1" };
  if (method === "GET") headers["cache-control"] = oldAllowed();
  if (who) headers["x-medley-csrf"] = who.csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  if (file) headers["content-type"] = "application/octet-stream";
  const noteChange = () => {
    if (method !== "GET") changedMs = Date.now();
  };
  noteChange();
  const answer = await fetch(addressOf(id, parts), {
    method,
    headers,
    body: file ?? (body === undefined ? null : JSON.stringify(body)),
    signal: signal ?? null,
  }).catch((error) => {
    if (signal?.aborted) throw error;
    if (isThere.value) isThere.set(false);
    throw UNREACHABLE;
  });
  if (!isThere.value) isThere.set(true);
  noteChange();
  if (answer.ok) return answer;
  const problem = await problemOf(answer);
  if (problem.status === 401 && who) {
    hasEnded.set(true);
    session.set({ signedIn: false });
  }
  throw problem;
}

export async function call<Id extends OperationId>(
  id: Id,
  input: Inputs[Id],
  sending?: Sending,
): Promise<Answers[Id]> {
  const answer = await send(id, input as Parts, sending);
  return (answer.status === 204 ? undefined : await answer.json()) as Answers[Id];
}

/** Server-sent events, each as its data, once the server has begun to listen; they end when the server or the signal does. */
export async function openEvents(
  id: OperationId,
  parts: Parts,
  signal: AbortSignal,
): Promise<AsyncGenerator<unknown>> {
  const answer = await send(id, parts, { signal });
  return eventsOf(answer);
}

async function* eventsOf(answer: Response): AsyncGenerator<unknown> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}
