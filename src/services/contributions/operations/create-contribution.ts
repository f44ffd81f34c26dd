/** Creates a contribution: for clients, and for the public pages. */
import { kernelErrors } from "#kernel/operation";
import { people } from "#ports/people";
import { type Caller, isModerator } from "../domain/access.ts";
import { isOpen, timesOf } from "../domain/assignments.ts";
import { facetsOf } from "../domain/facets.ts";
import type { Position } from "../domain/globe.ts";
import { firstState, isPublicState, type Policy } from "../domain/moderation.ts";
import { PLACES_PER_MILLISECOND } from "../domain/order.ts";
import { columnsOfVisible, settlePlace } from "../domain/places.ts";
import { urlWordsOf } from "../domain/url-words.ts";
import { wordsOf } from "../domain/words.ts";
import { errors } from "../errors.ts";
import { noteChange } from "../jobs/changes.ts";
import type { ContributionsContext } from "../state.ts";
import { type Destination, findDestination } from "../store/assignments.ts";
import * as store from "../store/contributions.ts";
import { findForm } from "../store/forms.ts";
import { moveSearchTail } from "../store/search-tail.ts";
import { setTags } from "../store/tags.ts";
import type { AssignmentRow, ContributionRow, MediaRow } from "../tables/index.ts";
import { isVisible, ownedOf } from "../views/assignment-views.ts";
import { noteUser } from "../views/caller.ts";
import type { Place } from "../wire/places.ts";
import { noAssignment } from "./assignments.ts";
import { saveResponse } from "./forms.ts";
import { getMedia, getTagIds } from "./given-records.ts";

export type ContributionDraft = {
  readonly assignmentId: string;
  readonly headline?: string | undefined;
  readonly body?: string | undefined;
  readonly attribution?: string | undefined;
  readonly place?: Place | undefined;
  readonly mediaIds: readonly string[];
  readonly tags?: readonly { readonly id: string }[] | undefined;
  readonly responses?: Readonly<Record<string, string>> | undefined;
  readonly externalIds?: Readonly<Record<string, string>> | undefined;
  /** Set if the contributor gave consent on a page. */
  readonly consentedAtMs?: number | undefined;
};

const PLACES_TRIED_MAX = PLACES_PER_MILLISECOND;

function checkOpen(caller: Caller, assignment: AssignmentRow, nowMs: number): void {
  if (!isOpen(timesOf(assignment), nowMs))
    throw errors.closed(`The assignment ${assignment.name} takes no contributions at this time.`);
  if (caller.kind === "anonymous" && Number(assignment.allows_anonymous) !== 1)
    throw kernelErrors.unauthenticated("This assignment takes contributions of people who have signed in.");
}
function checkContent(assignment: AssignmentRow, draft: ContributionDraft, media: readonly MediaRow[]): void {
  if (Number(assignment.media_required) === 1 && media.length === 0)
    throw errors.invalid("A picture or film must come with it.", { target: "mediaUsages" });
  const text = `${draft.headline ?? ""}${draft.body ?? ""}`;
  if (text.trim() === "" && media.length === 0)
    throw errors.invalid("A contribution says or shows something.", { target: "headline" });
}

/** The first medium with a position. */
function positionOfMedia(media: readonly MediaRow[]): Position | undefined {
  for (const { latitude, longitude } of media)
    if (latitude !== null && longitude !== null)
      return { latitude: Number(latitude), longitude: Number(longitude) };
  return undefined;
}
function placeColumns(draft: ContributionDraft, assignment: AssignmentRow, media: readonly MediaRow[]) {
  const { name, country, geohash, latLong, google, osm } = draft.place ?? {};
  const precision =
    assignment.location_precision === null ? undefined : Number(assignment.location_precision);
  const given = {
    name,
    country: country?.toUpperCase(),
    geohash: geohash?.toLowerCase(),
    position: latLong,
  };
  const settled = settlePlace(given, positionOfMedia(media), precision);
  const isCountryHidden = precision === 0 && settled.country !== undefined;
  const details = {
    ...(google !== undefined && { google }),
    ...(osm && { osm }),
    ...(isCountryHidden && { country: settled.country }),
  };
  return {
    exact_latitude: settled.exact?.latitude ?? null,
    exact_longitude: settled.exact?.longitude ?? null,
    ...columnsOfVisible(settled.visible),
    country: isCountryHidden ? null : (settled.country ?? null),
    place_name: name ?? null,
    place_details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
  };
}

/** The client and its address. */
async function viaOf(context: ContributionsContext, caller: Caller): Promise<string> {
  const { principal, request } = context;
  if (caller.kind === "anonymous") return JSON.stringify({ ipAddress: request.remoteAddress });
  const clientName =
    caller.kind === "user" ? await context.port(people).findClientName(context, principal.name) : undefined;
  return JSON.stringify({
    authority: {
      id: principal.name,
      client: { id: principal.name, ...(clientName !== undefined && { name: clientName }) },
    },
    ipAddress: request.remoteAddress,
  });
}

/** Another node may have taken the same place. Then it tries the next one. */
async function insertAtFreePlace(context: ContributionsContext, row: ContributionRow): Promise<void> {
  const { db, clock, state } = context;
  const nowMs = clock.nowMs();
  if (state.searchTail.isToMove(nowMs)) state.searchTail.noteMoved(nowMs, await moveSearchTail(db, nowMs));
  for (let tried = 0; tried < PLACES_TRIED_MAX; tried += 1) {
    row.place = state.places.next(nowMs);
    if (await store.insertContribution(db, row)) return;
  }
  throw new Error("no place was free for a contribution");
}

/** Visible under the same rules as for reading. */
async function getDestination(
  { db, account, clock }: ContributionsContext,
  caller: Caller,
  assignmentId: string,
): Promise<Destination> {
  const assignment = await findDestination(db, account, assignmentId, caller.userId);
  if (!assignment || !isVisible(caller, assignment, clock.nowMs())) throw noAssignment(assignmentId);
  return assignment;
}
/** Returns their name. */
async function noteContributor(
  context: ContributionsContext,
  { userId }: Caller,
  { display_name: known }: Destination,
): Promise<string> {
  if (userId === undefined) return "";
  return known ?? (await noteUser(context, userId)).display_name;
}

export type Created = { readonly row: ContributionRow; readonly assignment: Destination };
/** Needs a transaction. */
export async function createContribution(
  context: ContributionsContext,
  caller: Caller,
  draft: ContributionDraft,
): Promise<Created> {
  const { db, account, ids, clock } = context;
  const assignment = await getDestination(context, caller, draft.assignmentId);
  checkOpen(caller, assignment, clock.nowMs());
  const media = await getMedia(context, caller, draft.mediaIds, "mediaUsages");
  checkContent(assignment, draft, media);
  const tagIds = await getTagIds(context, draft.tags);
  const contributor = await noteContributor(context, caller, assignment);
  const id = ids.sortable();
  const where = placeColumns(draft, assignment, media);
  const response = await responseFor(context, caller, assignment, draft, id);
  const state = firstState(assignment.moderation as Policy);
  const images = media.filter(({ type }) => type === "image").length;
  const facets = facetsOf({
    assignmentId: assignment.id,
    ownerId: assignment.owner_id,
    userId: caller.userId,
    country: where.country ?? undefined,
    geohash: where.geohash ?? undefined,
    images,
    videos: media.length - images,
    tagIds,
  });
  const headline = draft.headline?.trim() ?? "";
  const row: ContributionRow = {
    account,
    place: 0,
    id,
    assignment_id: assignment.id,
    user_id: caller.userId ?? null,
    owner_id: assignment.owner_id,
    headline,
    body: draft.body ?? "",
    attribution: draft.attribution ?? (caller.kind === "user" ? contributor : ""),
    url_words: urlWordsOf(headline, id),
    words: wordsOf(headline).join(" "),
    facets: facets.join(" "),
    state,
    is_public: isPublicState(state) ? 1 : 0,
    ...where,
    images,
    videos: media.length - images,
    likes: 0,
    flags: 0,
    form_response_id: response?.id ?? null,
    external_ids: JSON.stringify(draft.externalIds ?? {}),
    via: await viaOf(context, caller),
    consented_at: draft.consentedAtMs ?? null,
    deleted_at: null,
  };
  const usages = media.map((one, position) => ({
    account,
    contribution_id: id,
    position,
    id: `${id}-${position + 1}`,
    media_id: one.id,
  }));
  await Promise.all([
    insertAtFreePlace(context, row),
    store.insertUsages(db, usages),
    tagIds.length > 0 && setTags(db, account, { kind: "contribution", recordId: id }, tagIds),
    noteContribution(context, "contribution.created", row, caller),
  ]);
  return { row, assignment };
}

/** Required fields of the assignment's form must be filled in, except by its owner or moderator. */
async function responseFor(
  context: ContributionsContext,
  caller: Caller,
  assignment: AssignmentRow,
  { responses }: ContributionDraft,
  contributionId: string,
) {
  const form =
    assignment.form_id === null ? undefined : await findForm(context.db, context.account, assignment.form_id);
  if (!form) {
    if (responses !== undefined)
      throw errors.invalid("This assignment has no form to fill in.", { target: "responses" });
    return undefined;
  }
  if (responses === undefined && isModerator(caller, ownedOf(assignment))) return undefined;
  return saveResponse(context, caller, form, { responses: responses ?? {}, contributionId });
}

const DESCRIPTION_LETTERS_MAX = 200;
type ContributionEvent = Extract<Parameters<typeof noteChange>[1]["type"], `contribution.${string}`>;
export const noteContribution = (
  context: ContributionsContext,
  type: ContributionEvent,
  row: ContributionRow,
  caller: Caller,
) =>
  noteChange(context, {
    type,
    description: (row.headline === "" ? row.body : row.headline).slice(0, DESCRIPTION_LETTERS_MAX),
    recordId: row.id,
    assignmentId: row.assignment_id,
    ownerId: row.owner_id,
    userId: caller.userId,
  });
