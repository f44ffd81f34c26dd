/**
 * Scripts of services' own pages: the common beginning, and the calls to the service. They use the credential that
 * the reader enters, or the console session of a reader who is signed in there.
 */
import { html, type Markup } from "./markup.ts";

export type PageCredential = {
  readonly label: string;
  /** The request header for the credential. */
  readonly header: string;
  readonly prefix: string;
  readonly invalid: string;
};
export const pageToken: PageCredential = {
  label: "Bearer token",
  header: "authorization",
  prefix: "Bearer ",
  invalid: "This token is not valid.",
};
export const pageKeyIn = (header: string): PageCredential => ({
  label: "API key",
  header,
  prefix: "",
  invalid: "This key is not valid.",
});

/** Hidden from readers who are signed in at the console. */
export const credentialField = ({ label }: PageCredential): Markup =>
  html`<div id="credential-field"><label for="credential">${label}</label><input id="credential" type="password" autocomplete="off" spellcheck="false" required></div>`;

/** `say` shows a text in the status of the page. */
const COMMON = `
  const by = (id) => document.getElementById(id);
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const say = (text) => { document.querySelector("[role=status]").textContent = text; };
  const problemOf = (error) => error instanceof TypeError ? "The server does not answer." : error.message;
  const guarded = (work) => work().catch((error) => say(problemOf(error)));
  // One at a time, however long it takes.
  const every = (pauseMs, work) => {
    const wait = () => setTimeout(async () => { if (!document.hidden) await guarded(work); wait(); }, pauseMs);
    wait();
  };
  const wordsOf = (answered, status) => answered.message || (answered.error && answered.error.message) || "The server answered " + status + ".";
`;
export const pageScript = (own: string): string => `"use strict";\n(() => {${COMMON}${own}})();\n`;

/**
 * `send` returns status, text and headers. `ask` returns the JSON of an answer, or fails with its message.
 * `whenSignedIn` runs at once if the reader is signed in at the console.
 */
const askingWith = ({ header, prefix, invalid }: PageCredential): string => `
  const credential = by("credential");
  let csrf;
  const byCredential = async (method, path, headers, body) => {
    const answer = await fetch(path, { method, body, headers: { ...headers, "${header}": "${prefix}" + credential.value.trim() } });
    return { status: answer.status, header: (name) => answer.headers.get(name), text: await answer.text() };
  };
  const JSON_TYPE = { "content-type": "application/json" };
  const base64Of = (blob) => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(new Error("The file could not be read."));
    reader.readAsDataURL(blob);
  });
  const byConsole = async (method, path, headers, body) => {
    const content = body instanceof Blob ? { bytes: await base64Of(body) } : body === undefined ? {} : { body };
    const answer = await fetch("/_medley/try", {
      method: "POST",
      headers: { ...JSON_TYPE, "x-medley-csrf": csrf },
      body: JSON.stringify({ method, path, headers, ...content }),
    });
    if (answer.status === 401 || answer.status === 403) {
      takeCredential();
      throw new Error("The session at the console has ended.");
    }
    const tried = await answer.json();
    if (!answer.ok) throw new Error(wordsOf(tried, answer.status));
    if (!tried.answer.isWhole) throw new Error("The answer is too long to be passed on by the console.");
    return { status: tried.status, header: (name) => tried.answer.headers[name] || null, text: tried.answer.body === undefined ? atob(tried.answer.bytes || "") : tried.answer.body };
  };
  const send = (method, path, headers, body) => (csrf ? byConsole : byCredential)(method, path, headers, body);
  const jsonIn = (text) => { try { return JSON.parse(text); } catch { return {}; } };
  const asked = async (method, path, body) => {
    const type = body === undefined ? {} : body instanceof Blob ? { "content-type": "application/octet-stream" } : JSON_TYPE;
    const { status, header, text } = await send(method, path, type, body === undefined || body instanceof Blob ? body : JSON.stringify(body));
    const answered = jsonIn(text);
    if (status < 300) return { header, answered };
    throw new Error(status === 401 ? "${invalid}" : wordsOf(answered, status));
  };
  const ask = async (method, path, body) => (await asked(method, path, body)).answered;
  const takeCredential = () => {
    csrf = undefined;
    credential.required = true;
    by("credential-field").hidden = false;
  };
  const whenSignedIn = (work) => guarded(async () => {
    const session = await fetch("/_medley/session").then((answer) => answer.json()).catch(() => ({}));
    if (!session.signedIn) return;
    csrf = session.csrf;
    credential.required = false;
    by("credential-field").hidden = true;
    say("One moment …");
    await work();
  });
`;
export const askingScript = (credential: PageCredential, own: string): string =>
  pageScript(`${askingWith(credential)}${own}`);
