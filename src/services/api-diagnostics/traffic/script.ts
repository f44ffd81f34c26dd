/** The page's script: asks the interface with the reader's token, again and again. */
const LOOK_MS = 1000;
const ROWS_MAX = 200;
const VERSION = "2019-12-01-preview";

export const SCRIPT = String.raw`"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const [state, token, subscription, chosen, rows] = ["state", "token", "subscription", "instance", "rows"].map(by);
  const mount = location.pathname.replace(/\/gateway-traffic\/?$/, "");
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const say = (text) => { state.textContent = text; };
  const ask = async (path, query) => {
    const address = mount + path + "?api-version=${VERSION}" + (query || "");
    const answer = await fetch(address, { headers: { authorization: "Bearer " + token.value.trim() } });
    const answered = await answer.json().catch(() => ({}));
    if (answer.ok) return answered;
    throw new Error(answer.status === 401 ? "This token is not valid." : (answered.error && answered.error.message) || "The server answered " + answer.status + ".");
  };
  const guarded = (work) => work().catch((error) => say(error instanceof TypeError ? "The server does not answer." : error.message));
  let last = 0;

  const list = async () => {
    const path = "/subscriptions/" + encodeURIComponent(subscription.value.trim()) + "/providers/Vendor.ApiManagement/service";
    const { value } = await ask(path);
    chosen.replaceChildren(...value.map(({ id, name }) => element("option", { value: id }, name)));
    if (value.length === 0) chosen.append(element("option", { value: "" }, "none"));
    say(value.length === 1 ? "One instance." : value.length + " instances.");
    await begin();
  };
  const begin = async () => {
    last = 0;
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
    const { value } = await ask(id + "/traffic", "&after=" + last);
    if (id !== chosen.value) return;
    for (const call of value) {
      last = Math.max(last, call.number);
      const kept = call.kept.length === 0 ? ["no diagnostic"] : call.kept.flatMap(keptOf);
      rows.prepend(element("tr", {},
        element("td", {}, new Date(call.time).toLocaleTimeString()),
        element("td", {}, call.method + " " + call.url + (call.problem && " (" + call.problem + ")")),
        element("td", {}, String(call.status)),
        element("td", {}, call.ms.toFixed(1) + " ms"),
        element("td", {}, ...kept)));
    }
    while (rows.children.length > ${ROWS_MAX}) rows.lastElementChild.remove();
  };

  by("choosing").addEventListener("submit", (event) => { event.preventDefault(); guarded(list); });
  chosen.addEventListener("change", () => guarded(begin));
  setInterval(() => { if (!document.hidden && chosen.value) guarded(look); }, ${LOOK_MS});
})();
`;
