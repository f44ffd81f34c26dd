/** Policies that change the request, the response or the backend. */
import type { Element } from "./markup.ts";
import type { Edit, PolicyRun, Reply } from "./run.ts";
import { contentOf, fail, Reading, type Section, type Step, type Text } from "./step.ts";

type Run = Step["run"];
const UNSENDABLE = /[^\t\x20-\x7e\u0080-\u00ff]/g;

function editOf(reading: Reading, name: Text): (run: PolicyRun) => Edit {
  const action = reading.existsAction();
  const values = reading.children("value").map(contentOf);
  if (action !== "delete" && values.length === 0) fail(reading.element, "The element 'value' must be given.");
  reading.done();
  return (run) => ({
    name: name(run),
    action,
    values: values.map((value) => value(run).replace(UNSENDABLE, "?").slice(0, 8192)),
  });
}
export function setHeader(element: Element, section: Section): Run {
  const reading = new Reading(element);
  const given = reading.headerName("name") ?? reading.needed("name");
  const edit = editOf(reading, () => given);
  return (run, _tools, note) => {
    const headers =
      section === "inbound" || section === "backend" ? run.request.headers : run.response?.headers;
    headers?.edit(edit(run));
    note(given);
    return undefined;
  };
}
export function setQueryParameter(element: Element): Run {
  const reading = new Reading(element);
  const edit = editOf(reading, reading.text("name"));
  return (run, _tools, note) => {
    const made = edit(run);
    run.request.query.edit(made);
    note(made.name);
    return undefined;
  };
}
export function setVariable(element: Element): Run {
  const reading = new Reading(element);
  const name = reading.needed("name");
  const value = reading.text("value");
  reading.children();
  reading.done();
  return (run, _tools, note) => {
    run.variables.set(name, value(run));
    note(name);
    return undefined;
  };
}
export function setMethod(element: Element): Run {
  const method = contentOf(element);
  new Reading(element).done();
  return (run, _tools, note) => {
    const wanted = method(run).trim().toUpperCase();
    if (/^[A-Z]{1,20}$/.test(wanted)) run.request.method = wanted;
    note(run.request.method);
    return undefined;
  };
}
export function setStatus(element: Element): Run {
  const reading = new Reading(element);
  const code = reading.text("code");
  reading.plain("reason");
  reading.children();
  reading.done();
  return (run, _tools, note) => {
    const status = statusOf(code(run));
    if (run.response) run.response.status = status;
    note(String(status));
    return undefined;
  };
}
const statusOf = (text: string): number => (/^[2-5]\d\d$/.test(text) ? Number(text) : 500);

/**
 * Backends resolve dot segments and backslashes to other paths than the policy intends, so such paths are
 * rejected.
 */
const LEADS_ELSEWHERE = /\\|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;
const NOT_A_PATH: Reply = {
  status: 400,
  headers: [["content-type", "text/plain"]],
  body: "The rewritten address would lead out of its path.",
};

/** Replaces each `{name}` with its value from the path or the query. Only `{*name}` may contain slashes. */
export function rewriteUri(element: Element): Run {
  const reading = new Reading(element);
  const template = reading.text("template");
  const copies = reading.flag("copy-unmatched-params", true);
  reading.children();
  reading.done();
  return (run, _tools, note) => {
    const { request } = run;
    const used = new Set<string>();
    const filled = template(run).replace(/\{(\*?)([^{}]{1,100})\}/g, (_whole, rest: string, name: string) => {
      used.add(name.toLowerCase());
      const matched = Object.hasOwn(request.matched, name) ? request.matched[name] : undefined;
      const text = encodeURIComponent(matched ?? request.query.find(name) ?? "");
      return rest === "" ? text : text.replaceAll("%2F", "/");
    });
    const [path = "", query] = filled.split("?", 2);
    if (LEADS_ELSEWHERE.test(path)) return NOT_A_PATH;
    request.path = path.startsWith("/") ? path : `/${path}`;
    for (const [name] of request.query.pairs)
      if (!copies || used.has(name.toLowerCase())) request.query.edit({ name, action: "delete", values: [] });
    for (const [name, value] of new URLSearchParams(query ?? ""))
      request.query.edit({ name, action: "append", values: [value] });
    note(request.path);
    return undefined;
  };
}
/** Sets the backend by URL or by ID. `known`: existing backends; without it, IDs are not checked. */
export function setBackendService(element: Element, known?: ReadonlySet<string>): Run {
  const reading = new Reading(element);
  const url = reading.findText("base-url");
  const id = reading.findText("backend-id");
  reading.children();
  reading.done();
  if ((url === undefined) === (id === undefined))
    fail(element, "Either base-url or backend-id must be given.");
  const plain = element.attributes.get("backend-id")?.value ?? "";
  if (known && id && !/^\s*@\(/.test(plain) && !known.has(plain.toLowerCase()))
    fail(element, `There is no backend '${plain}'.`);
  return (run, tools, note) => {
    const name = id?.(run);
    run.backendId = name?.toLowerCase();
    run.backend = name === undefined ? addressIn(url?.(run) ?? "") : tools.findBackend(name);
    note(
      name === undefined
        ? (run.backend?.origin ?? "no address")
        : run.backend
          ? name
          : `no backend '${name}'`,
    );
    return undefined;
  };
}
function addressIn(text: string): URL | undefined {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  return parsed?.protocol === "http:" || parsed?.protocol === "https:" ? parsed : undefined;
}

/** Builds a response from the child elements. */
export function returnResponse(element: Element): Run {
  const reading = new Reading(element);
  const parts = reading.children("set-status", "set-header", "set-body");
  reading.done();
  const steps = parts.flatMap((part) =>
    part.name === "set-status"
      ? [setStatus(part)]
      : part.name === "set-header"
        ? [setHeader(part, "outbound")]
        : [],
  );
  const [body] = parts.filter(({ name }) => name === "set-body").map(contentOf);
  return (run, tools, note) => {
    const made: PolicyRun = { ...run, response: { status: 200, headers: run.emptyFields() } };
    for (const step of steps) step(made, tools, () => {});
    const { status = 200, headers } = made.response ?? {};
    note(String(status));
    const reply: Reply = { status, headers: headers?.pairs ?? [], body: body ? body(run) : "" };
    return reply;
  };
}
export function mockResponse(element: Element): Run {
  const reading = new Reading(element);
  const status = reading.whole("status-code", { min: 200, max: 599, otherwise: 200 });
  const type = reading.plain("content-type");
  reading.children();
  reading.done();
  return (_run, _tools, note) => {
    note(String(status));
    return { status, headers: type === undefined ? [] : [["content-type", type]], body: "" };
  };
}
