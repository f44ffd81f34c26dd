/** Calls through a gateway as they happen: asks the interface again and again. */
import { clockText } from "../texts.ts";
import { ask, whenSignedIn } from "./parts/asking.ts";
import { by, element, every, guarded, inputBy, onSubmit, say, selectBy } from "./parts/page.ts";

type Values<T> = { readonly value: readonly T[] };
type Kept = {
  readonly diagnostic: string;
  readonly of: string;
  readonly isLogged: boolean;
  readonly why: string;
  readonly record?: object;
};
type Policy = {
  readonly scope: string;
  readonly section: string;
  readonly policy: string;
  readonly effect: string;
};
type Call = {
  readonly number: number;
  readonly time: string;
  readonly method: string;
  readonly url: string;
  readonly problem: string;
  readonly status: number;
  readonly ms: number;
  readonly policies: readonly Policy[];
  readonly kept: readonly Kept[];
};

const LOOK_MS = 1000;
const ROWS_MAX = 200;
const VERSION = "2019-12-01-preview";
const SUBSCRIPTIONS_VERSION = "2021-04-01";
/** For the first that has an instance. */
const SUBSCRIPTIONS_LOOKED_AT = 20;

const subscription = inputBy("subscription");
const chosen = selectBy("instance");
const rows = by("rows");
const mount = location.pathname.replace(/\/gateway-traffic\/?$/, "");
const read = <T>(path: string, query = ""): Promise<Values<T>> =>
  ask("GET", `${mount}${path}?api-version=${VERSION}${query}`);
let last = 0;
let begun = 0;

async function list(): Promise<number> {
  const name = encodeURIComponent(subscription.value.trim());
  const { value } = await read<{ id: string; name: string }>(
    `/subscriptions/${name}/providers/Vendor.ApiManagement/service`,
  );
  chosen.replaceChildren(...value.map((one) => element("option", { value: one.id }, one.name)));
  if (value.length === 0) chosen.append(element("option", { value: "" }, "none"));
  say(value.length === 1 ? "One instance." : `${value.length} instances.`);
  await begin();
  return value.length;
}
async function begin(): Promise<void> {
  last = 0;
  begun += 1;
  rows.replaceChildren();
  by("calls").hidden = !chosen.value;
  await look();
}

function keptOf({ diagnostic, of, isLogged, why, record }: Kept): HTMLElement[] {
  const line = element(
    "p",
    {},
    `${isLogged ? "logged" : "not logged"} by ${diagnostic} of the ${of}: ${why}`,
  );
  if (!record) return [line];
  const written = element("pre", { tabIndex: 0 }, JSON.stringify(record, null, 2));
  return [line, element("details", {}, element("summary", {}, "what was kept"), written)];
}
const effectOf = ({ scope, section, policy, effect }: Policy): HTMLElement =>
  element("p", {}, `${[scope, section, policy].filter(Boolean).join(" ")}: ${effect}`);
function rowOf(call: Call): HTMLElement {
  const kept = call.kept.length === 0 ? ["no diagnostic"] : call.kept.flatMap(keptOf);
  const problem = call.problem && ` (${call.problem})`;
  return element(
    "tr",
    {},
    element("td", {}, clockText(call.time)),
    element("td", {}, `${call.method} ${call.url}${problem}`),
    element("td", {}, String(call.status)),
    element("td", {}, `${call.ms.toFixed(1)} ms`),
    element("td", {}, ...call.policies.map(effectOf), ...kept),
  );
}
async function look(): Promise<void> {
  const id = chosen.value;
  if (!id) return;
  const mine = begun;
  const { value } = await read<Call>(`${id}/traffic`, `&after=${last}`);
  if (mine !== begun) return;
  for (const call of value.filter(({ number }) => number > last)) {
    last = call.number;
    rows.prepend(rowOf(call));
  }
  while (rows.children.length > ROWS_MAX) rows.lastElementChild?.remove();
  by("none").hidden = rows.children.length > 0;
}
async function listFirst(): Promise<void> {
  const path = `${mount}/subscriptions?api-version=${SUBSCRIPTIONS_VERSION}`;
  const { value } = await ask<Values<{ subscriptionId: string }>>("GET", path);
  if (value.length === 0)
    say("This account has no subscription yet. The command npx medley seed api-diagnostics makes one.");
  for (const { subscriptionId } of value.slice(0, SUBSCRIPTIONS_LOOKED_AT)) {
    subscription.value = subscriptionId;
    if (await list()) return;
  }
}

onSubmit(by("choosing"), () => guarded(list));
chosen.addEventListener("change", () => guarded(begin));
every(LOOK_MS, look);
void whenSignedIn(listFirst);
