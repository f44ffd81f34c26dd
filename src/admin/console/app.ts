/** Pages of the console app. They are empty here: the browser requests their content after the sign-in. */
import { html, type Page } from "#kernel/html";
import type { Service } from "#kernel/operation";
import { renderConsolePage } from "./layout.ts";

const TITLES: ReadonlyMap<string, string> = new Map([
  ["requests", "Requests"],
  ["try", "Try it"],
  ["resources", "Resources"],
  ["time", "Time"],
  ["jobs", "Jobs"],
  ["outbox", "Outbox"],
  ["faults", "Faults"],
  ["state", "State"],
  ["credentials", "Credentials"],
  ["metrics", "Metrics"],
]);

function titleIn(services: readonly Service[], name: string | undefined, below: string): string | undefined {
  const service = services.find((one) => one.name === name);
  if (below === "") return service?.title;
  return service?.pages?.find(({ path, isTool }) => isTool && path === `/${below}`)?.title;
}

/** `services` is followed by a service name, and optionally by the path of one of its tools. */
export function appPage(path: string, services: readonly Service[]): Page | undefined {
  const [name = "", rest, ...below] = path.split("/");
  const title = name === "services" ? titleIn(services, rest, below.join("/")) : TITLES.get(name);
  if (title === undefined || (name !== "services" && rest !== undefined)) return undefined;
  return renderConsolePage({
    title,
    heading: title,
    services,
    content: html`<noscript><p>This page needs script. Without it, ask <code>/_medley</code>, which the documentation describes.</p></noscript>`,
  });
}
