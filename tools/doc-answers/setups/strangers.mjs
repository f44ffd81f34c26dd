/** Requests without a credential, recorded: public pages, addresses that carry their own authority, and streams. */

/** `body`: a form or bytes. Only what `shown` says of it is recorded. */
export async function visit({ url, record }, method, path, { body, headers, shown } = {}) {
  const response = await fetch(url + path, { method, headers, body, redirect: "manual" });
  const type = response.headers.get("content-type") ?? "";
  const text = /json|text|xml/.test(type) ? await response.text() : "";
  await response.body?.cancel().catch(() => {});
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  const location = response.headers.get("location") ?? undefined;
  const answered = type.includes("json") && text !== "" ? JSON.parse(text) : undefined;
  record({ method, path, body: shown }, { status: response.status, type, text, location, body: answered });
  return { text, location, body: answered };
}

const LISTEN_MS_MAX = 30_000;
/** What a stream that does not end says first, until it has said `enough`. */
export async function listen({ url, record }, path, { headers, enough, meanwhile }) {
  const leaving = AbortSignal.timeout(LISTEN_MS_MAX);
  const response = await fetch(url + path, { headers, signal: leaving });
  const type = response.headers.get("content-type") ?? "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const started = meanwhile?.();
  while (!enough.test(text)) text += decoder.decode((await reader.read()).value, { stream: true });
  await started;
  await reader.cancel();
  record({ method: "GET", path }, { status: response.status, type, text: `${text}…` });
}
