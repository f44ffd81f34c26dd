/**
 * Calls to the service. They use the credential that the reader enters, or the console session of a reader who is signed
 * in there. The page's field declares how the credential is sent (`credentialField` in src/kernel/html).
 */
import { guarded, inputBy, say, wordsOf } from "./page.ts";

type Headers = Readonly<Record<string, string>>;
type Sent = string | Blob | undefined;
type Answered = {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
};
/** As `/_medley/try` answers. */
type Tried = {
  readonly status: number;
  readonly answer: {
    readonly isWhole: boolean;
    readonly headers: Headers;
    readonly body?: string;
    readonly bytes?: string;
  };
};

const JSON_TYPE = { "content-type": "application/json" };
const BYTES_TYPE = { "content-type": "application/octet-stream" };

export const credential = inputBy("credential");
const { header: credentialHeader = "", prefix = "", invalid = "" } = credential.dataset;
let csrf: string | undefined;

async function sendByCredential(
  method: string,
  path: string,
  headers: Headers,
  body: Sent,
): Promise<Answered> {
  const answer = await fetch(path, {
    method,
    body,
    headers: { ...headers, [credentialHeader]: prefix + credential.value.trim() },
  });
  return {
    status: answer.status,
    header: (name) => answer.headers.get(name),
    text: await answer.text(),
  };
}

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(new Error("The file could not be read."));
    reader.readAsDataURL(blob);
  });

async function sendByConsole(
  token: string,
  method: string,
  path: string,
  headers: Headers,
  body: Sent,
): Promise<Answered> {
  const content = body instanceof Blob ? { bytes: await base64Of(body) } : body === undefined ? {} : { body };
  const answer = await fetch("/_medley/try", {
    method: "POST",
    headers: { ...JSON_TYPE, "x-medley-csrf": token },
    body: JSON.stringify({ method, path, headers, ...content }),
  });
  if (answer.status === 401 || answer.status === 403) {
    takeCredential();
    throw new Error("The session at the console has ended.");
  }
  const tried: unknown = await answer.json();
  if (!answer.ok) throw new Error(wordsOf(tried, answer.status));
  const { status, answer: passedOn } = tried as Tried;
  if (!passedOn.isWhole) throw new Error("The answer is too long to be passed on by the console.");
  return {
    status,
    header: (name) => passedOn.headers[name] || null,
    text: passedOn.body === undefined ? atob(passedOn.bytes || "") : passedOn.body,
  };
}

export const send = (method: string, path: string, headers: Headers, body: Sent): Promise<Answered> =>
  csrf ? sendByConsole(csrf, method, path, headers, body) : sendByCredential(method, path, headers, body);

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The JSON of an answer and its headers. Fails with the message of a refusal. `T` is what the operation declares. */
export async function asked<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ header: Answered["header"]; answered: T }> {
  const type = body === undefined ? {} : body instanceof Blob ? BYTES_TYPE : JSON_TYPE;
  const content = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
  const { status, header, text } = await send(method, path, type, content);
  const answered = jsonIn(text);
  if (status < 300) return { header, answered: answered as T };
  throw new Error(status === 401 ? invalid : wordsOf(answered, status));
}
export const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await asked<T>(method, path, body)).answered;

function takeCredential(): void {
  csrf = undefined;
  credential.required = true;
  document.documentElement.classList.remove("by-console");
}

/** Runs at once if the reader is signed in at the console. */
export const whenSignedIn = (work: () => Promise<unknown>): Promise<unknown> =>
  guarded(async () => {
    const session: { signedIn?: boolean; csrf?: string } = await fetch("/_medley/session")
      .then((answer) => answer.json())
      .catch(() => ({}));
    if (!session.signedIn) return takeCredential();
    csrf = session.csrf;
    credential.required = false;
    document.documentElement.classList.add("by-console");
    say("One moment …");
    await work();
  });
