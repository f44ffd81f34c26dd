/** The console's script: asks the admin interface with the reader's token, and shows what it answers. */
export const script = String.raw`"use strict";
(() => {
  const status = document.getElementById("token-status");
  const field = document.getElementById("token");
  /** So that the console can leave its own questions out of what it shows. */
  const OWN = "x-medley-console";
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const cell = (text, className) => element("td", { className: className || "" }, text);
  const ask = async (path, token) => {
    const answer = await fetch(path, { headers: { authorization: "Bearer " + token, [OWN]: "1" } });
    if (answer.ok) return answer;
    throw new Error(answer.status === 401 ? "This token is not valid." : answer.status === 403 ? "This token does not belong to an admin account." : "The server answered " + answer.status + ".");
  };
  const onSubmit = (form, work) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    work(field.value.trim()).catch((error) => { status.textContent = error instanceof TypeError ? "The server does not answer." : error.message; });
  });

  const requestsForm = document.getElementById("token-form");
  if (requestsForm) {
    const table = document.getElementById("request-rows");
    const ASKED_MAX = 200;
    const SHOWN_FIRST = 50;
    const SHOWN_MAX = 200;
    const isOwn = ({ service, request }) => service === "console" || service === "root" || request.headers[OWN] !== undefined;
    const factsOf = (request) => element("dl", { className: "facts" }, ...[
      ["Address", request.url], ["Time", new Date(request.at).toLocaleString()], ["Operation", request.operation || "none"],
      ["Account", request.account || "none"], ["Took", request.durationMs.toFixed(1) + " ms"], ["Request id", request.id],
    ].flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    const textOf = ({ headers, body }) => {
      const lines = Object.entries(headers).map(([name, value]) => name + ": " + value).join("\n");
      const shown = body === undefined || body === null || body === "" ? "" : "\n\n" + (typeof body === "string" ? body : JSON.stringify(body, null, 2));
      return (lines + shown).trim() || "Nothing.";
    };
    const part = (title, message) => [element("h3", {}, title), element("pre", { tabIndex: 0 }, textOf(message))];
    const detailsOf = (request) => {
      const columns = [...table.tHead.rows[0].cells].filter((one) => one.offsetParent !== null).length;
      const holder = element("td", { colSpan: columns }, factsOf(request), ...part("Request", request.request), ...part("Answer", request.answer));
      return element("tr", { className: "opened" }, holder);
    };
    const rowOf = (request) => {
      const opener = element("button", { type: "button", className: "address", title: request.url }, request.url);
      opener.setAttribute("aria-expanded", "false");
      const group = element("tbody", {}, element("tr", {},
        cell(new Date(request.at).toLocaleTimeString(), "wide"), cell(request.method), element("td", {}, opener),
        cell(request.operation || "", "wide"), cell(String(request.status), "number status-" + String(request.status)[0]),
        cell(request.durationMs.toFixed(1), "number wide")));
      opener.addEventListener("click", () => {
        const isOpen = opener.getAttribute("aria-expanded") === "true";
        opener.setAttribute("aria-expanded", String(!isOpen));
        if (isOpen) group.lastElementChild.remove();
        else group.append(detailsOf(request));
      });
      return group;
    };
    const show = (request) => {
      if (isOwn(request)) return;
      table.tHead.after(rowOf(request));
      while (table.tBodies.length > SHOWN_MAX) table.tBodies[table.tBodies.length - 1].remove();
    };
    onSubmit(requestsForm, async (token) => {
      const { requests } = await (await ask("/_medley/requests?limit=" + ASKED_MAX, token)).json();
      for (const body of [...table.tBodies]) body.remove();
      for (const request of requests.filter((one) => !isOwn(one)).slice(0, SHOWN_FIRST).reverse()) show(request);
      table.closest(".panel").hidden = false;
      status.textContent = "Live.";
      const stream = await ask("/_medley/requests/stream", token);
      const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        const events = text.split("\n\n");
        text = events.pop();
        for (const event of events) {
          const data = event.split("\n").find((line) => line.startsWith("data: "));
          if (data) show(JSON.parse(data.slice(6)));
        }
      }
      status.textContent = "The stream has ended.";
    });
  }

  const viewsForm = document.getElementById("views-form");
  if (viewsForm) {
    const place = document.getElementById("views");
    const valueOf = (value) => value === null || typeof value !== "object" ? String(value ?? "") : JSON.stringify(value);
    const regionOf = (title, table) => {
      const region = element("div", { className: "panel", tabIndex: 0 }, table);
      region.setAttribute("role", "region");
      region.setAttribute("aria-label", title);
      return region;
    };
    const tableOf = ({ title, columns, rows, drawings }) => {
      const head = element("thead", {}, element("tr", {}, ...columns.map((column) => element("th", { scope: "col" }, column))));
      const body = element("tbody", {}, ...rows.map((values) => element("tr", {}, ...values.map((value, index) => {
        const made = cell(valueOf(value));
        made.dataset.label = columns[index];
        return made;
      }))));
      if (rows.length === 0) body.append(element("tr", {}, element("td", { colSpan: columns.length }, "Nothing yet.")));
      return [element("h3", {}, title), ...(drawings ?? []).map(pictureOf), regionOf(title, element("table", { className: "stacking" }, head, body))];
    };
    const pictureOf = ({ title, svg }) => {
      const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", title);
      return element("figure", { className: "panel drawing" }, element("figcaption", {}, title), drawn);
    };
    onSubmit(viewsForm, async (token) => {
      const { views } = await (await ask("/_medley/views/" + viewsForm.dataset.service, token)).json();
      place.replaceChildren(...views.flatMap(tableOf));
      status.textContent = "As of " + new Date().toLocaleTimeString() + ".";
    });
  }
})();
`;
