/** The page's script: asks the interface, and draws what it answers. */
import { pageScript } from "#kernel/html";

/** More rows make a page slow; searching finds the others. */
const ROWS_MAX = 400;

export const SCRIPT = pageScript(String.raw`
  const base = location.pathname.replace(/\/viewer\/?$/, "");
  const many = (count, one, more) => count.toLocaleString("en") + " " + (count === 1 ? one : more);

  /** What is looked at now. */
  let file;
  let calls = [];
  let texts = [];

  const formOf = (fields) => {
    const form = new FormData();
    form.append("file", file, file.name);
    for (const [name, value] of fields) form.append(name, value);
    return form;
  };
  const send = (path, fields = [], accept = "application/json") =>
    fetch(base + path, { method: "POST", body: formOf(fields), headers: { accept } });
  const ask = async (path, fields) => {
    const answer = await send(path, fields);
    const answered = await answer.json().catch(() => ({}));
    return { ok: answer.ok, answered, problem: wordsOf(answered, answer.status) };
  };

  const VERDICTS = { unpacked: "was packed, and is unpacked", plain: "is not packed", stopped: "could not be unpacked" };
  const showFacts = (report) => {
    const { file: sent, unpacked, packer, imports, layers } = report;
    by("verdict").textContent = sent.name + " " + VERDICTS[report.verdict] + (packer ? ": " + packer.name : "");
    by("reason").textContent = report.reason;
    const facts = [
      ["Packer", packer ? packer.name + " (" + packer.marks.join(", ") + ")" : "none that is known"],
      ["Entry point", report.entry_point],
      ["Original entry point", report.original_entry_point || (report.verdict === "plain" ? "the same" : "not reached")],
      ["Layers", String(layers.length)],
      ["Imports", many(imports.reduce((sum, one) => sum + one.functions.length, 0), "function", "functions")],
      ["Instructions", report.instructions.toLocaleString("en")],
      ["Time", report.seconds.toFixed(2) + " s" + (report.is_cached ? " (known from before)" : "")],
      ["Size", many(sent.size, "byte", "bytes") + (unpacked ? ", unpacked " + unpacked.size.toLocaleString("en") : "")],
      ["SHA-256", sent.sha256],
    ];
    by("facts").replaceChildren(...facts.map(([name, value]) => element("div", { className: value.length > 48 ? "whole" : "" }, element("dt", {}, name), element("dd", {}, value))));
    by("download").hidden = report.verdict !== "unpacked";
  };
  const bar = (name, entropy) => {
    const fill = element("div", { className: entropy > 7.2 ? "fill dense" : "fill" });
    fill.style.width = (entropy / 8) * 100 + "%";
    return element("div", { className: "measure" }, element("span", {}, name), element("div", { className: "track" }, fill),
      element("span", { className: "value" }, entropy.toFixed(2)));
  };
  const showSections = ({ sections }) => by("sections").replaceChildren(...sections.map((section) => {
    const may = [section.is_executable && "executable", section.is_writable && "writable"].filter(Boolean).join(", ");
    return element("div", {}, element("div", { className: "section-name" }, element("strong", {}, section.name || "(no name)"),
      element("span", { className: "muted small" }, section.address + ", " + many(section.size, "byte", "bytes") + ", in the file " + section.file_size.toLocaleString("en") + (may ? ", " + may : ""))),
      bar("before", section.entropy_before), bar("after", section.entropy_after));
  }));
  const step = (when, what) => element("li", {}, element("div", {}, what), element("div", { className: "when" }, when));
  const showLayers = (report) => by("layers").replaceChildren(
    step("at the beginning", "It begins at 0x" + (Number(report.base) + Number(report.entry_point)).toString(16) + "."),
    ...report.layers.map(({ address, place, from, instructions }) => step("after " + many(instructions, "instruction", "instructions"),
      "It goes on at " + address + " in what it has written: from " + from + " to " + place + ".")),
    step("after " + many(report.instructions, "instruction", "instructions"), report.reason));
  const showImports = ({ imports }) => by("imports").replaceChildren(...(imports.length === 0 ? [element("p", { className: "muted" }, "None.")] :
    imports.map(({ library, functions }) => element("details", {}, element("summary", {}, library + ": " + many(functions.length, "function", "functions")),
      element("p", { className: "mono" }, functions.join(", "))))));

  const holds = (text, wanted) => text.toLowerCase().includes(wanted);
  const countOf = (shown, found, all) => (found === all ? many(all, "entry", "entries") : found.toLocaleString("en") + " of " + many(all, "entry", "entries")) + (shown < found ? ", the first " + shown + " are shown" : "");
  const showCalls = () => {
    const wanted = by("call-search").value.trim().toLowerCase();
    const found = calls.filter(({ text, result }) => holds(text + " " + result, wanted));
    const shown = found.slice(0, ${ROWS_MAX});
    by("calls").replaceChildren(...shown.map(({ instructions, text, result, isModelled }) => element("tr", { className: isModelled ? "" : "unmodelled" },
      element("td", { className: "number" }, instructions.toLocaleString("en")), element("td", { className: "mono" }, text), element("td", { className: "mono answer" }, result))));
    by("calls-count").textContent = countOf(shown.length, found.length, calls.length);
  };
  const showTexts = () => {
    const wanted = by("text-search").value.trim().toLowerCase();
    const found = texts.filter(({ section, text, why }) => holds(section + " " + text + " " + why, wanted));
    const shown = found.slice(0, ${ROWS_MAX});
    by("texts").replaceChildren(...shown.map(({ section, text, why }) => element("tr", {}, element("td", { className: "place" }, section),
      element("td", { className: "mono" }, text), element("td", { className: "why" }, why))));
    by("texts-count").textContent = countOf(shown.length, found.length, texts.length);
  };
  const callOf = ({ library, name, arguments: given, result, instructions, is_modelled }) => ({
    instructions, text: library + " " + name + "(" + given.join(", ") + ")", result: result || "", isModelled: is_modelled });
  const eventOf = ({ kind, text, address, instructions }) => ({ instructions, text: kind + ": " + text, result: address, isModelled: true });
  const keepCalls = ({ calls: made = [], events = [] }) => {
    calls = [...made.map(callOf), ...events.map(eventOf)].sort((a, b) => a.instructions - b.instructions);
    showCalls();
  };
  const keepTexts = ({ rule, ranked, full_rule }) => {
    const told = new Map(ranked.map((one) => [one.text, one.why]));
    const telling = ranked.map(({ section, text, why }) => ({ section, text, why }));
    texts = [...telling, ...rule.strings.filter(([, text]) => !told.has(text)).map(([section, text]) => ({ section, text, why: "" }))];
    by("rule").value = full_rule;
    showTexts();
  };

  const look = async (chosen) => {
    file = chosen;
    by("report").hidden = true;
    by("matched").replaceChildren();
    say("Emulating " + file.name + " …");
    const { ok, answered, problem } = await ask("/unpack");
    const report = ok ? answered : answered.report;
    if (!report) { say(problem); return; }
    showFacts(report);
    showSections(report);
    showLayers(report);
    showImports(report);
    by("report").hidden = false;
    say("Reading its calls and texts …");
    keepCalls((await ask("/emulation-output")).answered);
    const isUnpacked = report.verdict === "unpacked";
    by("on-unpacked").checked = isUnpacked;
    by("on-unpacked").disabled = !isUnpacked;
    const made = await ask("/generate-partial-yara-rules", [["is_unpacking_required", String(isUnpacked)]]);
    if (made.ok) keepTexts(made.answered);
    say(ok ? "Done." : problem);
  };
  const test = async () => {
    by("matched").replaceChildren(element("p", { className: "muted" }, "Applying …"));
    const bytes = new TextEncoder().encode(by("rule").value);
    const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const { ok, answered, problem } = await ask("/apply-yara-rules", [["rules", encoded], ["is_unpacking_required", String(by("on-unpacked").checked)]]);
    if (!ok) { by("matched").replaceChildren(element("p", { className: "problem" }, problem)); return; }
    const { matches, rules, error_message, is_success } = answered.result;
    const problems = rules.flatMap(({ errors }) => errors);
    const notes = is_success ? [] : [element("div", { className: "found" }, element("p", { className: "problem" }, error_message), ...problems.map((text) => element("pre", {}, text)))];
    const found = matches.map(({ rule, tags, strings }) => element("div", { className: "found" },
      element("strong", {}, rule + " matches" + (tags.length ? " (" + tags.join(", ") + ")" : "")),
      element("pre", {}, strings.map(({ identifier, offset, data }) => "0x" + offset.toString(16) + " " + identifier + " " + data.replace(/\\x00/g, "")).join("\n"))));
    by("matched").replaceChildren(...notes, ...(found.length || !is_success ? found : [element("p", {}, "No rule matches.")]));
  };
  const download = async () => {
    const answer = await send("/unpack", [], "application/octet-stream");
    if (!answer.ok) { say("The server answered " + answer.status + "."); return; }
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") || "");
    const link = element("a", { href: URL.createObjectURL(await answer.blob()), download: name ? name[1] : "unpacked.exe" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  const clean = async () => {
    const answer = await fetch(base + "/clean", { method: "HEAD" });
    say(answer.ok ? "Nothing is kept on the server any more." : "The server answered " + answer.status + ".");
  };

  /** One thing after the other, in the order they were asked for. */
  let last = Promise.resolve();
  const inTurn = (work) => {
    last = last.then(work).catch((error) => say(problemOf(error)));
  };
  const take = ([chosen]) => { if (chosen) inTurn(() => look(chosen)); };
  const [drop, chooser] = ["drop", "file"].map(by);
  by("asking").addEventListener("submit", (event) => event.preventDefault());
  by("testing").addEventListener("submit", (event) => { event.preventDefault(); inTurn(test); });
  by("download").addEventListener("click", () => inTurn(download));
  by("clean").addEventListener("click", () => inTurn(clean));
  by("call-search").addEventListener("input", showCalls);
  by("text-search").addEventListener("input", showTexts);
  chooser.addEventListener("change", () => { take([...chooser.files]); chooser.value = ""; });
  for (const name of ["dragenter", "dragover"])
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take([...event.dataTransfer.files]);
  });
`);
