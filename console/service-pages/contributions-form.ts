/** Sends the form in the background, so that progress is visible. Without script the browser sends the form itself. */
import { by, element } from "./parts/page.ts";

const FORM = "form[data-contribute]";
const told = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** The page declares them. */
function inside<E extends Element>(form: ParentNode, selector: string): E {
  const found = form.querySelector<E>(selector);
  if (!found) throw new Error(`The form has no ${selector}.`);
  return found;
}
const filesIn = (form: ParentNode) => inside<HTMLInputElement>(form, "input[type=file]");

function attach(form: HTMLFormElement): void {
  const files = filesIn(form);
  const chosen = inside(form, "[data-chosen]");
  files.addEventListener("change", () => {
    const lines = [...(files.files ?? [])].map(({ name, size }) =>
      element("li", {}, `${name} (${told(size)})`),
    );
    chosen.replaceChildren(...lines);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

/** The answer is the form again, with what is wrong in it. The files that were chosen stay. */
function showAgain(form: HTMLFormElement, answered: string): boolean {
  const page = new DOMParser().parseFromString(answered, "text/html");
  const next = page.getElementById("content");
  if (!next?.querySelector(FORM)) return false;
  const kept = filesIn(form);
  const main = by("content");
  main.replaceChildren(...document.importNode(next, true).childNodes);
  const fresh = inside<HTMLFormElement>(main, FORM);
  filesIn(fresh).replaceWith(kept);
  attach(fresh);
  main.querySelector<HTMLElement>("[data-problem]")?.focus();
  return true;
}

function send(form: HTMLFormElement): void {
  const area = inside<HTMLElement>(form, "[data-progress]");
  const bar = inside<HTMLProgressElement>(area, "progress");
  const words = inside(area, "[data-words]");
  const button = inside<HTMLButtonElement>(form, "button[type=submit]");
  const request = new XMLHttpRequest();
  const again = (message: string) => {
    button.disabled = false;
    bar.hidden = true;
    words.textContent = message;
  };
  request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
    if (!lengthComputable) return;
    const percent = Math.floor((loaded / total) * 100);
    bar.value = percent;
    words.textContent = percent < 100 ? `${percent} % of ${told(total)} sent` : "All is sent; one moment";
  });
  request.addEventListener("load", () => {
    if (request.status === 200) location.assign(`${request.responseURL}#sent`);
    else if (!showAgain(form, request.responseText)) again("It could not be sent. Please try again.");
  });
  request.addEventListener("error", () => again("The connection broke off. Please try again."));
  button.disabled = true;
  area.hidden = false;
  bar.hidden = false;
  bar.value = 0;
  words.textContent = "Sending";
  request.open("POST", form.action);
  request.send(new FormData(form));
}

const form = document.querySelector<HTMLFormElement>(FORM);
if (form) attach(form);
