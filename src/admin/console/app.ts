/** Pages that the app shows to whoever has signed in: empty here, because what they show is asked for by the browser. */
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

/** `services` is followed by the name of one. */
export function appPage(path: string, services: readonly Service[]): Page | undefined {
  const [name = "", rest] = path.split("/", 2);
  const service = services.find((one) => one.name === rest);
  const isService = name === "services";
  const title = isService ? service?.title : TITLES.get(name);
  if (title === undefined || (!isService && rest !== undefined)) return undefined;
  return renderConsolePage({
    title,
    heading: title,
    services,
    content: html`<noscript><p>This page needs script. Without it, ask <code>/_medley</code>, which the documentation describes.</p></noscript>`,
  });
}
