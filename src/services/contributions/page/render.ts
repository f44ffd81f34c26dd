/** An assignment's page: its description, the approved contributions, and the form. */
import { html, type Markup, nothing, type Page, type Part } from "#kernel/html";
import type { Answer } from "../domain/forms.ts";
import type { AssignmentView } from "../views/assignment-views.ts";
import type { ContributionView } from "../views/contribution-views.ts";
import { type FormParts, renderForm } from "./form.ts";
import { pages } from "./site.ts";

export type Shown = {
  readonly assignment: AssignmentView;
  readonly contributions: readonly ContributionView[];
  readonly total: number;
  /** Other featured assignments. */
  readonly featured: readonly AssignmentView[];
  /** The address of the older contributions. */
  readonly olderAddress: string | undefined;
  /** The address of the newest contributions, if this page is not the first. */
  readonly newestAddress: string | undefined;
  /** Absent if the assignment accepts none now, or not from everybody. `closed` has the reason. */
  readonly form: FormParts | undefined;
  readonly closed: string | undefined;
  /** Shown after a contribution was accepted. */
  readonly receipt: string | undefined;
  readonly origin: string;
  readonly status?: number;
};

type Usage = ContributionView["mediaUsages"][number];
const artifactOf = ({ artifacts }: Usage, label: string) => artifacts.find((one) => one.label === label);
const dayOf = (instant: string): string => instant.slice(0, 10);
const nameOf = ({ headline, created }: ContributionView): string =>
  headline === "" ? `Contribution of ${dayOf(created)}` : headline;

function gallery(contributions: readonly ContributionView[]): Part {
  const pictures = contributions.flatMap((one) =>
    one.mediaUsages.flatMap((usage) => {
      const thumbnail = artifactOf(usage, "thumbnail");
      return thumbnail ? [{ one, url: thumbnail.url }] : [];
    }),
  );
  if (pictures.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="gallery"><h2 id="gallery">Pictures</h2>
<div class="gallery">${pictures.map(
    ({ one, url }) =>
      html`<a href="#c-${one.id}"><img src="${url}" width="200" height="200" loading="lazy" alt="${nameOf(one)}"></a>`,
  )}</div></section>`;
}

function shownUsage(usage: Usage, name: string): Part {
  const large = artifactOf(usage, "large");
  if (!large) return html`<p class="muted small">A picture is being prepared.</p>`;
  const film = usage.media.type === "video" ? artifactOf(usage, "optimised") : undefined;
  return film
    ? html`<video controls preload="none" poster="${large.url}" src="${film.url}" aria-label="${name}"></video>`
    : html`<a href="${large.url}"><img src="${large.url}" width="${large.width}" height="${large.height}" loading="lazy" alt="${name}"></a>`;
}

function entry(one: ContributionView): Markup {
  const { mediaUsages, attribution, place, created, body } = one;
  const where = place?.name ?? place?.country;
  return html`<li id="c-${one.id}"><article class="stack tight"><h3>${nameOf(one)}</h3>
<p class="by">${attribution === "" ? nothing : html`<span>${attribution}</span>`}<time datetime="${created}">${dayOf(created)}</time>${
    where === undefined ? nothing : html`<span>${where}</span>`
  }</p>
${mediaUsages.length === 0 ? nothing : html`<div class="shown">${mediaUsages.map((usage) => shownUsage(usage, nameOf(one)))}</div>`}
${body === "" ? nothing : html`<p class="told">${body}</p>`}${answered(one)}</article></li>`;
}
const wordsOf = ({ type, value }: Answer): string =>
  type === "checkbox" ? (value === "true" ? "Yes" : "No") : value;
const answered = ({ publicAnswers = [] }: ContributionView): Part =>
  publicAnswers.length === 0
    ? nothing
    : html`<dl class="answers">${publicAnswers.map((one) => html`<div><dt>${one.label}</dt><dd>${wordsOf(one)}</dd></div>`)}</dl>`;

const way = (address: string | undefined, words: string): Part =>
  address === undefined ? nothing : html`<a class="button quiet" href="${address}">${words}</a>`;
function contributed({ contributions, total, olderAddress, newestAddress }: Shown): Markup {
  const ways =
    olderAddress === undefined && newestAddress === undefined
      ? nothing
      : html`<p class="ways">${way(olderAddress, "Older contributions")}${way(newestAddress, "Newest contributions")}</p>`;
  if (contributions.length === 0)
    return html`<section class="card stack"><h2>Contributions</h2><p class="muted">${newestAddress === undefined ? "There are none to see yet." : "There is nothing older."}</p>${ways}</section>`;
  return html`${gallery(contributions)}
<section class="card" aria-labelledby="contributions"><h2 id="contributions">Contributions <span class="muted small">${total}</span></h2>
<ul class="entries">${contributions.map(entry)}</ul>
${ways}</section>`;
}

function formSection({ form, closed, receipt, assignment }: Shown): Part {
  const thanks =
    receipt === undefined
      ? nothing
      : html`<p class="notice" id="sent" role="status" tabindex="-1">${receipt}</p>`;
  if (!form) return html`${thanks}<p class="notice warn">${closed ?? ""}</p>`;
  const problem =
    form.problems.length === 0
      ? nothing
      : html`<div class="notice bad" role="alert" tabindex="-1" data-problem><strong>It was not sent.</strong> ${form.problems.map(({ message }) => html`<span>${message} </span>`)}</div>`;
  return html`${thanks}<section class="card stack" aria-labelledby="contribute"><h2 id="contribute">${assignment.callToAction ?? "Contribute"}</h2>${problem}${renderForm(form)}</section>`;
}

function featuredSection({ featured }: Shown): Part {
  if (featured.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="featured"><h2 id="featured">Featured</h2>
<ul class="entries">${featured.map(
    ({ name, description, webUrl }) =>
      html`<li><h3><a href="${webUrl}">${name}</a></h3>${description ? html`<p class="told">${description}</p>` : nothing}</li>`,
  )}</ul></section>`;
}

/** A link to the contributions below the form, because the form may be long. */
const waysOf = ({ form, total }: Shown): Part =>
  form && total > 0
    ? html`<p class="ways"><a href="#contributions">${total === 1 ? "See the contribution" : `See ${total} contributions`}</a></p>`
    : nothing;

export function renderAssignmentPage(shown: Shown): Page {
  const { assignment, origin, status = 200 } = shown;
  const cover = assignment.cover && artifactOf(assignment.cover, "large");
  const ends =
    assignment.ends === undefined
      ? nothing
      : html`<p class="muted small">Open until ${dayOf(assignment.ends)}.</p>`;
  return pages.renderBelowBar({
    status,
    title: assignment.name,
    main: html`<main class="column stack" id="content">
<h1>${assignment.name}</h1>
${cover ? html`<img class="cover" src="${cover.url}" width="${cover.width}" height="${cover.height}" alt="">` : nothing}
${assignment.description ? html`<p class="brief">${assignment.description}</p>` : nothing}
${assignment.open ? ends : nothing}
${waysOf(shown)}
${formSection(shown)}
${contributed(shown)}
${featuredSection(shown)}
</main>`,
    protection: { withScript: true, pictureSources: [origin], soundSources: [origin] },
  });
}
