/** Sends the form in the background, so that progress is visible. Without script the browser sends the form itself. */

export const SCRIPT = `(() => {
  const form = document.querySelector("form[data-contribute]");
  if (!form || !window.FormData || !window.XMLHttpRequest) return;
  const main = document.getElementById("content");
  const told = (bytes) => bytes < 1e6 ? Math.ceil(bytes / 1e3) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
  const attach = (current) => {
    const files = current.querySelector("input[type=file]");
    const chosen = current.querySelector("[data-chosen]");
    files.addEventListener("change", () => {
      chosen.textContent = "";
      for (const file of files.files) {
        const line = document.createElement("li");
        line.textContent = file.name + " (" + told(file.size) + ")";
        chosen.append(line);
      }
    });
    current.addEventListener("submit", (event) => {
      event.preventDefault();
      send(current);
    });
  };
  const send = (current) => {
    const area = current.querySelector("[data-progress]");
    const bar = area.querySelector("progress");
    const words = area.querySelector("[data-words]");
    const button = current.querySelector("button[type=submit]");
    const request = new XMLHttpRequest();
    const again = (message) => {
      button.disabled = false;
      bar.hidden = true;
      words.textContent = message;
    };
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (!lengthComputable) return;
      const percent = Math.floor(loaded / total * 100);
      bar.value = percent;
      words.textContent = percent < 100 ? percent + " % of " + told(total) + " sent" : "All is sent; one moment";
    });
    request.addEventListener("load", () => {
      if (request.status === 200) { location.assign(request.responseURL + "#sent"); return; }
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      const next = page.getElementById("content");
      if (!next || !next.querySelector("form[data-contribute]")) { again("It could not be sent. Please try again."); return; }
      const kept = current.querySelector("input[type=file]");
      main.replaceChildren(...document.importNode(next, true).childNodes);
      const fresh = main.querySelector("form[data-contribute]");
      fresh.querySelector("input[type=file]").replaceWith(kept);
      attach(fresh);
      const problem = main.querySelector("[data-problem]");
      if (problem) problem.focus();
    });
    request.addEventListener("error", () => again("The connection broke off. Please try again."));
    button.disabled = true;
    area.hidden = false;
    bar.hidden = false;
    bar.value = 0;
    words.textContent = "Sending";
    request.open("POST", current.action);
    request.send(new FormData(current));
  };
  attach(form);
})();`;
