/** What the app adds to a page of documentation: a search, calls of libraries, a mark at what is being read. */

import { libraryCallOf } from "./requests/client-call.ts";
import { pythonCallOf } from "./requests/python-call.ts";

function searchField(onInput: (text: string) => void): HTMLElement {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Find an operation";
  field.setAttribute("aria-label", "Find an operation");
  field.addEventListener("input", () => onInput(field.value));
  return field;
}

/** Every word must be in the method, path, name or summary. */
function showFound(place: HTMLElement, text: string, status: HTMLElement): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const group of place.querySelectorAll<HTMLElement>(".docs-group")) {
    let inGroup = 0;
    for (const operation of group.querySelectorAll<HTMLElement>(".operation")) {
      const told = `${operation.id} ${operation.querySelector("summary")?.textContent}`.toLowerCase();
      const isFound = words.every((word) => told.includes(word));
      operation.hidden = !isFound;
      if (isFound) inGroup += 1;
    }
    group.hidden = inGroup === 0;
    found += inGroup;
    const entry = place.querySelector<HTMLElement>(`.docs-nav a[href="#${group.id}"]`);
    if (entry?.parentElement) entry.parentElement.hidden = inGroup === 0;
  }
  status.textContent = words.length === 0 ? "" : `${found} found`;
}

/** Marks the group whose beginning was passed last. */
function followReading(place: HTMLElement): () => void {
  const entries = new Map(
    [...place.querySelectorAll<HTMLAnchorElement>(".docs-nav a")].map((entry) => [
      entry.hash.slice(1),
      entry,
    ]),
  );
  const observer = new IntersectionObserver(
    (seen) => {
      const top = seen.filter((one) => one.isIntersecting).at(0);
      if (!top) return;
      for (const entry of entries.values()) entry.removeAttribute("aria-current");
      const current = entries.get(top.target.id);
      current?.setAttribute("aria-current", "location");
      current?.scrollIntoView({ block: "nearest" });
    },
    { rootMargin: "-10% 0px -75% 0px" },
  );
  for (const group of place.querySelectorAll(".docs-group")) observer.observe(group);
  return () => observer.disconnect();
}

/** Below the call as curl: the same as calls of the service's usual libraries, with the values of the example. */
async function addLibraryCalls(inside: HTMLElement): Promise<void> {
  const curl = inside.querySelector("pre.curl");
  const { example, operation } = inside.dataset;
  if (!curl || example === undefined || operation === undefined || inside.querySelector(".library-call"))
    return;
  const { params = {}, query = {}, body } = JSON.parse(example);
  const service = decodeURIComponent(location.pathname.split("/")[3] ?? "");
  const text = await libraryCallOf(service, operation, { params, query, body, bytes: undefined });
  if (text === undefined || inside.querySelector(".library-call")) return;
  const python = pythonCallOf(text);
  curl.after(
    ...callOf("With the usual library", text),
    ...(python === undefined ? [] : callOf("In Python", python)),
  );
}
function callOf(heading: string, text: string): readonly HTMLElement[] {
  const title = document.createElement("h4");
  title.textContent = heading;
  const call = document.createElement("pre");
  call.className = "library-call";
  call.tabIndex = 0;
  call.append(Object.assign(document.createElement("code"), { textContent: text }));
  return [title, call];
}

/** The whole page of an operation has what its entry in the list opens to. */
async function showInside(entry: HTMLDetailsElement): Promise<void> {
  const link = entry.querySelector<HTMLAnchorElement>("a.whole");
  if (!link) return;
  const response = await fetch(link.href, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const inside = page.querySelector<HTMLElement>(".operation-whole");
  if (!inside || !link.isConnected) return;
  entry.querySelector(".inside")?.replaceWith(document.adoptNode(inside));
  await addLibraryCalls(inside);
}
/** When it is opened; also when the address led there. */
function showInsides(place: HTMLElement): void {
  for (const entry of place.querySelectorAll<HTMLDetailsElement>(".operation")) {
    entry.addEventListener("toggle", () => void showInside(entry));
    if (entry.open) void showInside(entry);
  }
}

/** Returns how to take it back. */
export function prepareDocs(place: HTMLElement): (() => void) | undefined {
  const whole = place.querySelector<HTMLElement>(".docs-whole .operation-whole");
  if (whole) void addLibraryCalls(whole);
  const find = place.querySelector<HTMLElement>(".docs-find");
  if (!find || find.querySelector("input")) return undefined;
  const status = document.createElement("p");
  status.className = "muted";
  status.setAttribute("role", "status");
  find.append(
    searchField((text) => showFound(place, text, status)),
    status,
  );
  showInsides(place);
  return followReading(place);
}
