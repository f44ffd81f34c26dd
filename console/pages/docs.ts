/** What the app adds to a page of documentation: a search, calls of libraries, a mark at what is being read. */
import { libraryCallOf } from "./requests/client-call.ts";

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

/** Below the call as curl: the same as a call of the service's usual library, with the values of the example. */
async function addLibraryCall(operation: HTMLDetailsElement): Promise<void> {
  const curl = operation.querySelector("pre");
  const example = operation.dataset.example;
  if (!curl || example === undefined || operation.querySelector(".library-call")) return;
  const { params = {}, query = {}, body } = JSON.parse(example);
  const service = decodeURIComponent(location.pathname.split("/")[3] ?? "");
  const text = await libraryCallOf(service, operation.id, { params, query, body, bytes: undefined });
  if (text === undefined || operation.querySelector(".library-call")) return;
  const title = document.createElement("h4");
  title.textContent = "With the usual library";
  const call = document.createElement("pre");
  call.className = "library-call";
  call.tabIndex = 0;
  call.append(Object.assign(document.createElement("code"), { textContent: text }));
  curl.after(title, call);
}
/** When it is opened; also when the address led there. */
function showLibraryCalls(place: HTMLElement): void {
  for (const operation of place.querySelectorAll<HTMLDetailsElement>(".operation")) {
    operation.addEventListener("toggle", () => void addLibraryCall(operation));
    if (operation.open) void addLibraryCall(operation);
  }
}

/** Returns how to take it back. */
export function prepareDocs(place: HTMLElement): (() => void) | undefined {
  const nav = place.querySelector<HTMLElement>(".docs-nav");
  if (!nav || nav.querySelector("input")) return undefined;
  const status = document.createElement("p");
  status.className = "muted";
  status.setAttribute("role", "status");
  nav.prepend(
    searchField((text) => showFound(place, text, status)),
    status,
  );
  showLibraryCalls(place);
  return followReading(place);
}
