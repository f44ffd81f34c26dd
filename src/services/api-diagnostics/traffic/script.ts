/** The page's script: asks the interface again and again. */
import { askingScript, pageToken } from "#kernel/html";

const LOOK_MS = 1000;
const ROWS_MAX = 200;
const VERSION = "2019-12-01-preview";
const SUBSCRIPTIONS_VERSION = "2021-04-01";
/** For the first that has an instance. */
const SUBSCRIPTIONS_LOOKED_AT = 20;

export const SCRIPT = askingScript(
  pageToken,
  String.raw`  const [subscription, chosen, rows] = ["subscription", "instance", "rows"].map(by);
  const mount = location.pathname.replace(/\/gateway-traffic\/?$/, "");
  const read = (path, query) => ask("GET", mount + path + "?api-version=${VERSION}" + (query || ""));
  let last = 0;
  let begun = 0;

  const list = async () => {
    const path = "/subscriptions/" + encodeURIComponent(subscription.value.trim()) + "/providers/Vendor.ApiManagement/service";
    const { value } = await read(path);
    chosen.replaceChildren(...value.map(({ id, name }) => element("option", { value: id }, name)));
    if (value.length === 0) chosen.append(element("option", { value: "" }, "none"));
    say(value.length === 1 ? "One instance." : value.length + " instances.");
    await begin();
    return value.length;
  };
  const begin = async () => {
    last = 0;
    begun += 1;
    rows.replaceChildren();
    by("calls").hidden = !chosen.value;
    await look();
  };
  const keptOf = ({ diagnostic, of, isLogged, why, record }) => {
    const line = element("p", {}, (isLogged ? "logged" : "not logged") + " by " + diagnostic + " of the " + of + ": " + why);
    if (!record) return [line];
    return [line, element("details", {}, element("summary", {}, "what was kept"), element("pre", { tabIndex: 0 }, JSON.stringify(record, null, 2)))];
  };
  const look = async () => {
    const id = chosen.value;
    if (!id) return;
    const mine = begun;
    const { value } = await read(id + "/traffic", "&after=" + last);
    if (mine !== begun) return;
    for (const call of value.filter(({ number }) => number > last)) {
      last = call.number;
      const kept = call.kept.length === 0 ? ["no diagnostic"] : call.kept.flatMap(keptOf);
      rows.prepend(element("tr", {},
        element("td", {}, new Date(call.time).toLocaleTimeString()),
        element("td", {}, call.method + " " + call.url + (call.problem && " (" + call.problem + ")")),
        element("td", {}, String(call.status)),
        element("td", {}, call.ms.toFixed(1) + " ms"),
        element("td", {}, ...call.policies.map(({ scope, section, policy, effect }) => element("p", {}, [scope, section, policy].filter(Boolean).join(" ") + ": " + effect)), ...kept)));
    }
    while (rows.children.length > ${ROWS_MAX}) rows.lastElementChild.remove();
  };

  by("choosing").addEventListener("submit", (event) => { event.preventDefault(); guarded(list); });
  chosen.addEventListener("change", () => guarded(begin));
  every(${LOOK_MS}, look);
  whenSignedIn(async () => {
    const { value } = await ask("GET", mount + "/subscriptions?api-version=${SUBSCRIPTIONS_VERSION}");
    if (value.length === 0) say("This account has no subscription yet.");
    for (const { subscriptionId } of value.slice(0, ${SUBSCRIPTIONS_LOOKED_AT})) {
      subscription.value = subscriptionId;
      if (await list()) return;
    }
  });
`,
);
