/** The editor's script. */
import { askingScript, pageKeyIn } from "#kernel/html";

const FOUND_MAX = 10;

export const EDITOR_KEY = pageKeyIn("x-vendor-api-key");
export const SCRIPT = askingScript(
  EDITOR_KEY,
  String.raw`
  const [list, title, description, source] = ["list", "title", "description", "source"].map(by);
  const base = location.pathname.replace(/\/editor\/?$/, "");

  /** Podcasts of the list that is being edited, in order. */
  let podcasts = [];
  const button = (text, label, press, isDisabled) => {
    const made = element("button", { type: "button", className: "button quiet", disabled: Boolean(isDisabled) }, text);
    made.setAttribute("aria-label", label);
    made.addEventListener("click", press);
    return made;
  };
  const nameOf = ({ title: name, publisher }) => element("span", { className: "name" }, name, " ", element("span", { className: "by" }, publisher));
  const move = (from, to) => {
    podcasts.splice(to, 0, ...podcasts.splice(from, 1));
    showPodcasts();
    by("chosen").children[to].querySelector("button:not(:disabled)").focus();
  };
  const showPodcasts = () => {
    by("chosen").replaceChildren(...podcasts.map((podcast, at) => element("li", {}, nameOf(podcast),
      button("Up", "Move " + podcast.title + " up", () => move(at, at - 1), at === 0),
      button("Down", "Move " + podcast.title + " down", () => move(at, at + 1), at === podcasts.length - 1),
      button("Take out", "Take out " + podcast.title, () => { podcasts.splice(at, 1); showPodcasts(); }))));
    by("none").hidden = podcasts.length > 0;
  };
  const edit = (one) => {
    by("heading").textContent = one.id ? one.title : "A new list";
    [title.value, description.value, source.value] = [one.title || "", one.description || "", one.source_url || ""];
    podcasts = [...(one.podcasts || [])];
    by("remove").hidden = !one.id;
    showPodcasts();
  };
  const loadLists = async (wanted) => {
    const options = [element("option", { value: "" }, "a new list")];
    for (let page = 1, more = true; more; page += 1) {
      const answered = await ask("GET", base + "/curated_podcasts?page=" + page);
      options.push(...answered.curated_lists.map((one) => element("option", { value: one.id }, one.title + " (" + one.total + ")")));
      more = answered.has_next;
    }
    list.replaceChildren(...options);
    list.value = wanted;
    if (list.selectedIndex < 0) list.selectedIndex = 0;
    return options.length - 1;
  };
  const open = async () => edit(list.value ? await ask("GET", base + "/curated_podcasts/" + encodeURIComponent(list.value)) : {});

  const show = async () => {
    const count = await loadLists(list.value);
    await open();
    say(count === 1 ? "One list." : count + " lists.");
  };
  const save = async () => {
    const body = { title: title.value, description: description.value, source_url: source.value, podcast_ids: podcasts.map(({ id }) => id) };
    const saved = await ask(list.value ? "PUT" : "POST", base + "/curated_podcasts" + (list.value ? "/" + encodeURIComponent(list.value) : ""), body);
    await loadLists(saved.id);
    edit(saved);
    say("The list is saved.");
  };
  const remove = async () => {
    if (!confirm("Remove the list " + title.value + "?")) return;
    await ask("DELETE", base + "/curated_podcasts/" + encodeURIComponent(list.value));
    await loadLists("");
    await open();
    say("The list is removed.");
  };
  const find = async () => {
    const { results, total } = await ask("GET", base + "/search?type=podcast&page_size=${FOUND_MAX}&q=" + encodeURIComponent(by("words").value));
    by("found").replaceChildren(...results.map((one) => {
      const podcast = { id: one.id, title: one.title_original, publisher: one.publisher_original };
      return element("li", {}, nameOf(podcast), button("Add", "Add " + podcast.title, () => {
        if (!podcasts.some(({ id }) => id === podcast.id)) podcasts.push(podcast);
        showPodcasts();
      }));
    }));
    say(total === 0 ? "No podcast has these words." : total === 1 ? "One podcast found." : total + " podcasts found.");
  };

  const whenGiven = (work) => { if (credential.reportValidity()) guarded(work); };
  const onSubmit = (id, work) => by(id).addEventListener("submit", (event) => { event.preventDefault(); whenGiven(work); });
  onSubmit("opening", show);
  onSubmit("editing", save);
  onSubmit("finding", find);
  list.addEventListener("change", () => whenGiven(open));
  by("remove").addEventListener("click", () => whenGiven(remove));
  whenSignedIn(show);
`,
);
