/** What the scripts of services' own pages share. */

/** The page declares what its script needs, so a missing element is a mistake. */
export function by(id: string): HTMLElement;
export function by<E extends HTMLElement>(id: string, kind: new () => E): E;
export function by(id: string, kind: new () => HTMLElement = HTMLElement): HTMLElement {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} ${id}.`);
  return found;
}
export const inputBy = (id: string): HTMLInputElement => by(id, HTMLInputElement);
export const selectBy = (id: string): HTMLSelectElement => by(id, HTMLSelectElement);

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Shows a text in the status of the page. */
export function say(text: string): void {
  const status = document.querySelector("[role=status]");
  if (status) status.textContent = text;
}
export const problemOf = (error: unknown): string =>
  error instanceof TypeError
    ? "The server does not answer."
    : error instanceof Error
      ? error.message
      : String(error);

type Work = () => Promise<unknown>;
export const guarded = (work: Work): Promise<unknown> =>
  work().catch((error: unknown) => say(problemOf(error)));

/** One at a time, however long it takes. */
export function every(pauseMs: number, work: Work): void {
  setTimeout(async () => {
    if (!document.hidden) await guarded(work);
    every(pauseMs, work);
  }, pauseMs);
}

/** One thing after the other, in the order they were asked for. */
export function taker(): (work: () => unknown) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    last = last.then(work).catch((error: unknown) => say(problemOf(error)));
    return last;
  };
}

export function onSubmit(form: HTMLElement, work: () => unknown): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void work();
  });
}

/** Files that are dropped on an area, or chosen in its field. */
export function onFiles(drop: HTMLElement, chooser: HTMLInputElement, take: (files: File[]) => void): void {
  chooser.addEventListener("change", () => {
    // Copied at once: the chooser's list is emptied as soon as this returns.
    take([...(chooser.files ?? [])]);
    chooser.value = "";
  });
  for (const name of ["dragenter", "dragover"])
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take([...(event.dataTransfer?.files ?? [])]);
  });
}

/** The message of a refusal, as the services' error shapes have it. */
export function wordsOf(answered: unknown, status: number): string {
  const { message, error } = (answered ?? {}) as { message?: string; error?: { message?: string } };
  return message || error?.message || `The server answered ${status}.`;
}
