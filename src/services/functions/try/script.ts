/** The page's script: asks the interface and the function itself. */
import { askingScript, pageToken } from "#kernel/html";

const LOOK_MS = 2000;
const LINES_SHOWN = 50;

export const SCRIPT = askingScript(
  pageToken,
  String.raw`  const [project, chosen, call] = ["project", "function", "call"].map(by);
  const base = location.pathname.replace(/\/try\/?$/, "");
  const read = (path) => ask("GET", base + "/v2/" + path);
  /** Of functions that were listed, by name. */
  const addresses = new Map();

  const list = async () => {
    addresses.clear();
    let next = "";
    do {
      const { functions = [], nextPageToken = "" } = await read("projects/" + encodeURIComponent(project.value.trim()) + "/locations/-/functions?pageToken=" + encodeURIComponent(next));
      for (const one of functions) addresses.set(one.name, one.serviceConfig && one.serviceConfig.uri);
      next = nextPageToken;
    } while (next);
    chosen.replaceChildren(...[...addresses.keys()].map((name) => element("option", { value: name }, name)));
    if (addresses.size === 0) chosen.append(element("option", { value: "" }, "none"));
    call.disabled = addresses.size === 0;
    say(addresses.size === 1 ? "One function." : addresses.size + " functions.");
    await look();
  };

  const FIGURES = [["instances", "Processes"], ["busy", "Busy"], ["waiting", "Waiting"], ["requests", "Requests"],
    ["requestsPerSecond", "Per second"], ["errors", "Errors"], ["medianMs", "Median ms"], ["slowMs", "95 of 100 ms"]];
  const shown = (value) => value === undefined ? "–" : String(Math.round(value * 10) / 10);
  const look = async () => {
    const name = chosen.value;
    if (!name) return;
    const [figures, log] = await Promise.all([read(name + "/figures"), read(name + "/logs?limit=${LINES_SHOWN}")]);
    if (name !== chosen.value) return;
    by("figure-list").replaceChildren(...FIGURES.map(([key, words]) => element("div", {}, element("dt", {}, words), element("dd", {}, shown(figures[key])))));
    by("line-rows").replaceChildren(...log.lines.reverse().map(({ timestamp, severity, text }) =>
      element("tr", {}, element("td", {}, new Date(timestamp).toLocaleTimeString()), element("td", {}, severity), element("td", {}, text))));
    by("figures").hidden = false;
    by("log").hidden = false;
  };

  const callIt = async () => {
    const uri = addresses.get(chosen.value);
    if (!uri) throw new Error("It has no address yet.");
    const method = by("method").value;
    const body = method === "GET" || by("body").value === "" ? undefined : by("body").value;
    const path = by("path").value.replace(/^\/?/, "/");
    const began = performance.now();
    // Its path on this host: what the address names may be spelt another way than the reader's.
    const { status, header, text } = await send(method, new URL(uri).pathname + path, body === undefined ? {} : { "content-type": by("type").value }, body);
    by("answer-line").textContent = status + ", " + (performance.now() - began).toFixed(1) + " ms, " + (header("content-type") || "no type");
    by("answer-text").textContent = text;
    by("answer").hidden = false;
    await look();
  };

  by("choosing").addEventListener("submit", (event) => { event.preventDefault(); guarded(list); });
  by("calling").addEventListener("submit", (event) => { event.preventDefault(); guarded(callIt); });
  chosen.addEventListener("change", () => guarded(look));
  every(${LOOK_MS}, look);
  whenSignedIn(list);
`,
);
