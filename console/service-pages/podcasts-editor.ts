/** The editor of curated lists. */
import { ask, credential, whenSignedIn } from "./parts/asking.ts";
import { by, element, guarded, inputBy, onSubmit, say, selectBy } from "./parts/page.ts";

type Podcast = { readonly id: string; readonly title: string; readonly publisher: string };
type List = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly source_url: string;
  readonly podcasts: readonly Podcast[];
};
type Lists = {
  readonly curated_lists: readonly { readonly id: string; readonly title: string; readonly total: number }[];
  readonly has_next: boolean;
};
type Found = {
  readonly results: readonly {
    readonly id: string;
    readonly title_original: string;
    readonly publisher_original: string;
  }[];
  readonly total: number;
};

const FOUND_MAX = 10;
const list = selectBy("list");
const title = inputBy("title");
const description = by("description", HTMLTextAreaElement);
const source = inputBy("source");
const lists = `${location.pathname.replace(/\/editor\/?$/, "")}/curated_podcasts`;
const search = lists.replace(/curated_podcasts$/, "search");
const addressOf = (id: string): string => `${lists}/${encodeURIComponent(id)}`;

/** Podcasts of the list that is being edited, in order. */
let podcasts: Podcast[] = [];

function button(text: string, label: string, press: () => void, isDisabled = false): HTMLButtonElement {
  const made = element("button", { type: "button", className: "button quiet", disabled: isDisabled }, text);
  made.setAttribute("aria-label", label);
  made.addEventListener("click", press);
  return made;
}
const nameOf = ({ title: name, publisher }: Podcast): HTMLElement =>
  element("span", { className: "name" }, name, " ", element("span", { className: "by" }, publisher));

function move(from: number, to: number): void {
  podcasts.splice(to, 0, ...podcasts.splice(from, 1));
  showPodcasts();
  by("chosen").children[to]?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
}
function takeOut(at: number): void {
  podcasts.splice(at, 1);
  showPodcasts();
}
function showPodcasts(): void {
  const last = podcasts.length - 1;
  const lines = podcasts.map((podcast, at) =>
    element(
      "li",
      {},
      nameOf(podcast),
      button("Up", `Move ${podcast.title} up`, () => move(at, at - 1), at === 0),
      button("Down", `Move ${podcast.title} down`, () => move(at, at + 1), at === last),
      button("Take out", `Take out ${podcast.title}`, () => takeOut(at)),
    ),
  );
  by("chosen").replaceChildren(...lines);
  by("none").hidden = podcasts.length > 0;
}

function edit(one: Partial<List>): void {
  by("heading").textContent = one.id && one.title ? one.title : "A new list";
  title.value = one.title ?? "";
  description.value = one.description ?? "";
  source.value = one.source_url ?? "";
  podcasts = [...(one.podcasts ?? [])];
  by("remove").hidden = !one.id;
  showPodcasts();
}
async function loadLists(wanted: string): Promise<number> {
  const options = [element("option", { value: "" }, "a new list")];
  for (let page = 1, more = true; more; page += 1) {
    const answered = await ask<Lists>("GET", `${lists}?page=${page}`);
    for (const { id, title: name, total } of answered.curated_lists)
      options.push(element("option", { value: id }, `${name} (${total})`));
    more = answered.has_next;
  }
  list.replaceChildren(...options);
  list.value = wanted;
  if (list.selectedIndex < 0) list.selectedIndex = 0;
  return options.length - 1;
}
const open = async (): Promise<void> => edit(list.value ? await ask<List>("GET", addressOf(list.value)) : {});

async function show(): Promise<void> {
  const count = await loadLists(list.value);
  await open();
  say(count === 1 ? "One list." : `${count} lists.`);
}
async function save(): Promise<void> {
  const body = {
    title: title.value,
    description: description.value,
    source_url: source.value,
    podcast_ids: podcasts.map(({ id }) => id),
  };
  const saved = list.value
    ? await ask<List>("PUT", addressOf(list.value), body)
    : await ask<List>("POST", lists, body);
  await loadLists(saved.id);
  edit(saved);
  say("The list is saved.");
}
async function remove(): Promise<void> {
  if (!confirm(`Remove the list ${title.value}?`)) return;
  await ask("DELETE", addressOf(list.value));
  await loadLists("");
  await open();
  say("The list is removed.");
}
function add(podcast: Podcast): void {
  if (!podcasts.some(({ id }) => id === podcast.id)) podcasts.push(podcast);
  showPodcasts();
}
async function find(): Promise<void> {
  const words = encodeURIComponent(inputBy("words").value);
  const path = `${search}?type=podcast&page_size=${FOUND_MAX}&q=${words}`;
  const { results, total } = await ask<Found>("GET", path);
  const lines = results.map(({ id, title_original, publisher_original }) => {
    const podcast = { id, title: title_original, publisher: publisher_original };
    return element(
      "li",
      {},
      nameOf(podcast),
      button("Add", `Add ${podcast.title}`, () => add(podcast)),
    );
  });
  by("found").replaceChildren(...lines);
  if (total === 0) say("No podcast has these words.");
  else say(total === 1 ? "One podcast found." : `${total} podcasts found.`);
}

const whenGiven = (work: () => Promise<void>) => () => {
  if (credential.reportValidity()) void guarded(work);
};
onSubmit(by("opening"), whenGiven(show));
onSubmit(by("editing"), whenGiven(save));
onSubmit(by("finding"), whenGiven(find));
list.addEventListener("change", whenGiven(open));
by("remove").addEventListener("click", whenGiven(remove));
void whenSignedIn(show);
