/** The console's own style, script and picture; nothing comes from elsewhere. */
export const styleSheet = `:root{color-scheme:light dark;--ground:#fbfaf8;--panel:#fff;--ink:#1d1b20;--soft:#5f5b66;--line:#e3dfd8;--accent:#7a3ff2;--accent-ink:#fff;--code:#f3f0ea;--good:#1a7f4b;--bad:#b3261e;--warn:#8a5a00}
@media (prefers-color-scheme:dark){:root{--ground:#141218;--panel:#1d1a22;--ink:#ece8f1;--soft:#aaa4b5;--line:#34303c;--accent:#b69cff;--accent-ink:#1b1033;--code:#28242f;--good:#6fd49b;--bad:#ff8a80;--warn:#f0c26b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:center;padding:.8rem clamp(1rem,4vw,3rem);background:var(--panel);border-bottom:1px solid var(--line);position:sticky;top:0;z-index:1}
.brand{display:flex;gap:.6rem;align-items:center;font-weight:700;font-size:1.15rem;color:var(--ink);text-decoration:none}
nav{display:flex;gap:1.2rem}
nav a{color:var(--soft);text-decoration:none;padding:.25rem 0;border-bottom:2px solid transparent}
nav a[aria-current]{color:var(--ink);border-color:var(--accent)}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,input:focus-visible,pre:focus-visible,.requests:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
main{max-width:1180px;margin:0 auto;padding:0 clamp(1rem,4vw,3rem) 4rem}
.hero{padding:2.2rem 0 1rem}
h1{font-size:clamp(1.5rem,3.5vw,2.1rem);line-height:1.2;margin:0 0 .5rem;letter-spacing:-.015em}
h2{font-size:1.2rem;margin:2.4rem 0 .8rem}
.inside h3{margin:1.1rem 0 .3rem;font-size:.85rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft)}
p{margin:.4rem 0}
code{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);padding:.1em .35em;border-radius:4px;overflow-wrap:anywhere}
pre{background:var(--code);padding:.9rem 1rem;border-radius:8px;overflow:auto;margin:.5rem 0}
pre code{background:none;padding:0;overflow-wrap:normal}
table{width:100%;border-collapse:collapse;background:var(--panel);border:1px solid var(--line);border-radius:10px;overflow:hidden}
th,td{padding:.65rem .9rem;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
thead th{border-top:0;font-size:.82rem;color:var(--soft);font-weight:600}
tbody th{font-weight:600}
small{display:block;color:var(--soft);font-weight:400;font-size:.86rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
.members{border-radius:6px}.members th{width:34%}.members small{display:inline}
.members td small+small{display:block}
.services td code{white-space:nowrap}
.required{color:var(--warn);font-size:.75rem;font-weight:600}
.cards{list-style:none;padding:0;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(280px,1fr))}
.cards li{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:1rem 1.2rem}
.cards small{display:inline}
.operation{background:var(--panel);border:1px solid var(--line);border-radius:10px;margin:.6rem 0}
.operation summary{cursor:pointer;padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:baseline}
.operation .summary{color:var(--soft)}
.inside{padding:0 1rem 1rem;border-top:1px solid var(--line)}
.method{font:700 .78rem/1.4 ui-monospace,Menlo,monospace;min-width:3.6rem}
.method.get,.method.head{color:var(--good)}.method.delete{color:var(--bad)}.method.post,.method.put,.method.patch{color:var(--warn)}
.answers{margin:.2rem 0;padding-left:1.2rem}
form{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:1rem 1.2rem;margin-bottom:1rem}
label{display:block;font-weight:600;margin-bottom:.35rem}
.row{display:flex;gap:.6rem;flex-wrap:wrap}
input{flex:1 1 16rem;min-width:0;font:inherit;padding:.55rem .7rem;border:1px solid var(--line);border-radius:7px;background:var(--ground);color:var(--ink)}
button{font:inherit;font-weight:600;padding:.55rem 1.1rem;border:0;border-radius:7px;background:var(--accent);color:var(--accent-ink);cursor:pointer}
.status-2,.status-3{color:var(--good)}.status-4{color:var(--warn)}.status-5{color:var(--bad)}
@media (max-width:720px){table.services thead{display:none}table.services tr{display:block;border-top:1px solid var(--line);padding:.5rem 0}table.services th,table.services td{display:block;border:0;padding:.2rem .9rem;text-align:left}table.services td::before{content:attr(data-label)": ";color:var(--soft)}}
.requests{overflow-x:auto}
[hidden]{display:none!important}
`;

export const script = `"use strict";
(() => {
  const status = document.getElementById("token-status");
  const field = document.getElementById("token");
  const cell = (text, name) => {
    const made = document.createElement("td");
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const ask = async (path, token) => {
    const answer = await fetch(path, { headers: { authorization: "Bearer " + token } });
    if (answer.ok) return answer;
    throw new Error(answer.status === 401 ? "This token is not valid." : answer.status === 403 ? "This token does not belong to an admin account." : "The server answered " + answer.status + ".");
  };
  const onSubmit = (form, work) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(field.value.trim()).catch((error) => { status.textContent = error instanceof TypeError ? "The server does not answer." : error.message; });
  });

  const requestsForm = document.getElementById("token-form");
  if (requestsForm) {
    const rows = document.getElementById("request-rows");
    const ROWS_MAX = 200;
    const show = (request) => {
      const row = document.createElement("tr");
      row.append(cell(new Date(request.at).toLocaleTimeString()), cell(request.method), cell(request.url), cell(request.operation || ""), cell(String(request.status), "number status-" + String(request.status)[0]), cell(request.durationMs.toFixed(1), "number"));
      rows.prepend(row);
      while (rows.children.length > ROWS_MAX) rows.lastChild.remove();
    };
    onSubmit(requestsForm, async (token) => {
      const recent = await (await ask("/_medley/requests?limit=50", token)).json();
      rows.replaceChildren();
      for (const request of recent.requests.reverse()) show(request);
      rows.closest(".requests").hidden = false;
      status.textContent = "Live.";
      const stream = await ask("/_medley/requests/stream", token);
      const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        const events = text.split("\\n\\n");
        text = events.pop();
        for (const event of events) {
          const data = event.split("\\n").find((line) => line.startsWith("data: "));
          if (data) show(JSON.parse(data.slice(6)));
        }
      }
      status.textContent = "The stream has ended.";
    });
  }

  const viewsForm = document.getElementById("views-form");
  if (viewsForm) {
    const place = document.getElementById("views");
    const tableOf = ({ title, columns, rows }) => {
      const heading = document.createElement("h3");
      heading.textContent = title;
      const table = document.createElement("table");
      const head = table.createTHead().insertRow();
      for (const column of columns) {
        const made = document.createElement("th");
        made.scope = "col";
        made.textContent = column;
        head.append(made);
      }
      const body = table.createTBody();
      for (const values of rows) body.insertRow().append(...values.map((value) => cell(value === null || typeof value !== "object" ? String(value ?? "") : JSON.stringify(value))));
      if (rows.length === 0) body.insertRow().append(cell("Nothing yet."));
      return [heading, table];
    };
    onSubmit(viewsForm, async (token) => {
      const { views } = await (await ask("/_medley/views/" + viewsForm.dataset.service, token)).json();
      place.replaceChildren(...views.flatMap(tableOf));
      status.textContent = "As of " + new Date().toLocaleTimeString() + ".";
    });
  }
})();
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#7a3ff2"/><g fill="#fff"><circle cx="11" cy="9" r="2.6"/><circle cx="21" cy="9" r="2.6" opacity=".55"/><circle cx="11" cy="16" r="2.6" opacity=".55"/><circle cx="21" cy="16" r="2.6"/><circle cx="11" cy="23" r="2.6"/><circle cx="21" cy="23" r="2.6"/></g></svg>`;
