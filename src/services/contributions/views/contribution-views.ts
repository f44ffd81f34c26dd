/** Contributions as each caller may see them. */
import { isoOf } from "#kernel/clock";
import { type Caller, isModerator } from "../domain/access.ts";
import { HAS_TAGS } from "../domain/facets.ts";
import { type ActionName, actionView, type StateName, stateView } from "../domain/moderation.ts";
import { createdAtMsOf } from "../domain/order.ts";
import { isBlurred } from "../domain/places.ts";
import type { Viewing } from "../state.ts";
import { type Destination, findAssignments } from "../store/assignments.ts";
import { usagesOf } from "../store/contributions.ts";
import { publicAnswersOfResponses } from "../store/forms.ts";
import { flagsOf, moderationsOf } from "../store/opinions.ts";
import type { AssignmentRow, ContributionRow, FlagRow, ModerationRow } from "../tables/index.ts";
import { assignmentViewsOf, isVisible, ownedOf, recordTagsOf } from "./assignment-views.ts";
import { flagViewOf } from "./flag-views.ts";
import { mediaUsageViewsOf } from "./media-views.ts";

type Position = { readonly latitude: number; readonly longitude: number };
type PlaceView = {
  readonly country?: string;
  readonly latLong?: Position;
  readonly geohash?: string;
  readonly name?: string;
};

const positionOf = (latitude: number | null, longitude: number | null) =>
  latitude === null || longitude === null
    ? undefined
    : { latitude: Number(latitude), longitude: Number(longitude) };

/** `maySeeAll`: the exact position instead of the public one. */
export function placeViewOf(row: ContributionRow, maySeeAll: boolean): PlaceView | undefined {
  const visible = positionOf(row.latitude, row.longitude);
  const latLong = maySeeAll ? (positionOf(row.exact_latitude, row.exact_longitude) ?? visible) : visible;
  // The name of a place may reveal more than the blurred position.
  const mayNameIt = maySeeAll || !isBlurred(row);
  const place: PlaceView = {
    ...(row.country !== null && { country: row.country }),
    ...(latLong && { latLong }),
    ...(row.geohash !== null && { geohash: row.geohash }),
    ...(mayNameIt && row.place_name !== null && { name: row.place_name }),
    ...(mayNameIt && row.place_details !== null && JSON.parse(row.place_details)),
  };
  return Object.keys(place).length === 0 ? undefined : place;
}

const historyView = (row: ModerationRow) => ({
  action: actionView(row.action as ActionName),
  date: isoOf(Number(row.moderated_at)),
  ...(row.notes !== "" && { notes: row.notes }),
  ...(row.user_id !== null && { user: row.user_id }),
});

/** Members for owner, moderator and contributor. `decided` is for owner and moderator only. */
function privateMembers(
  row: ContributionRow,
  decided: { readonly history: readonly ModerationRow[]; readonly flags: readonly FlagRow[] } | undefined,
) {
  return {
    moderationState: stateView(row.state as StateName),
    ...(row.form_response_id !== null && { formResponse: row.form_response_id }),
    ...(row.external_ids !== "{}" && { externalIds: JSON.parse(row.external_ids) }),
    ...(decided && {
      moderationHistory: decided.history.map(historyView),
      flags: row.flags,
      ...(decided.flags.length > 0 && { flagReasons: decided.flags.map(flagViewOf) }),
      via: JSON.parse(row.via),
    }),
  };
}

const idsOf = (rows: readonly ContributionRow[]): string[] => rows.map(({ id }) => id);
const hasMedia = ({ images, videos }: ContributionRow): boolean => images + videos > 0;
const hasTags = ({ facets }: ContributionRow): boolean => facets.includes(HAS_TAGS);

/** In the order of the rows, all visible to the caller. `destination`: for a new row, which has no decision yet. */
export async function contributionViewsOf(
  context: Viewing,
  caller: Caller,
  rows: readonly ContributionRow[],
  destination?: Destination,
) {
  const { db, account, clock } = context;
  const assignments: ReadonlyMap<string, AssignmentRow> = destination
    ? new Map([[destination.id, destination]])
    : await findAssignments(
        db,
        account,
        rows.map((row) => row.assignment_id),
      );
  const shown = [...assignments.values()].filter((row) => isVisible(caller, row, clock.nowMs()));
  const decides = (row: ContributionRow): boolean => {
    const its = assignments.get(row.assignment_id);
    return isModerator(caller, its ? ownedOf(its) : { ownerId: row.owner_id });
  };
  const isTheirs = (row: ContributionRow): boolean => row.user_id !== null && row.user_id === caller.userId;
  const all = new Set(rows.filter((row) => decides(row) || isTheirs(row)).map(({ id }) => id));
  const flagged = rows.filter((row) => row.flags > 0 && decides(row));
  const [assignmentViews, usages, histories, flags, tags, answers] = await Promise.all([
    assignmentViewsOf(context, shown, destination?.tags_count !== 0),
    usagesOf(db, account, idsOf(rows.filter(hasMedia))).then((used) =>
      mediaUsageViewsOf(context, used, (id) => all.has(id)),
    ),
    moderationsOf(db, account, destination ? [] : [...all]),
    flagsOf(db, account, idsOf(flagged)),
    recordTagsOf(context, "contribution", idsOf(rows.filter(hasTags))),
    publicAnswersOfResponses(
      db,
      account,
      rows.flatMap((row) => row.form_response_id ?? []),
    ),
  ]);
  const decidedOf = (row: ContributionRow) =>
    decides(row) ? { history: histories.get(row.id) ?? [], flags: flags.get(row.id) ?? [] } : undefined;
  return rows.map((row) => {
    const publicAnswers = answers.get(row.form_response_id ?? "");
    const assignmentView = assignmentViews.get(row.assignment_id);
    const place = placeViewOf(row, all.has(row.id));
    return {
      id: row.id,
      headline: row.headline,
      body: row.body,
      attribution: row.attribution,
      urlWords: row.url_words,
      created: isoOf(createdAtMsOf(row.place)),
      ...(assignmentView && { assignment: assignmentView }),
      ...(row.user_id !== null && { user: row.user_id }),
      ownedBy: row.owner_id,
      ...(place && { place }),
      mediaUsages: usages.get(row.id) ?? [],
      tags: tags(row.id),
      ...(publicAnswers && { publicAnswers }),
      likes: row.likes,
      ...(all.has(row.id) && privateMembers(row, decidedOf(row))),
    };
  });
}
export type ContributionView = Awaited<ReturnType<typeof contributionViewsOf>>[number];
