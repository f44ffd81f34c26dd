/** Blurs the positions of an assignment again after its setting changed. Each small step is one transaction. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { facetsOf, tagIdsOf } from "../domain/facets.ts";
import { columnsOfVisible, findVisible } from "../domain/places.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import { listLocated, replaceContribution } from "../store/places.ts";
import type { ContributionRow, Tables } from "../tables/index.ts";

const AT_ONCE = 50;

function blurred(row: ContributionRow, precision: number | undefined): ContributionRow {
  const { exact_latitude: latitude, exact_longitude: longitude } = row;
  const exact = latitude === null || longitude === null ? undefined : { latitude, longitude };
  const visible = columnsOfVisible(findVisible(exact, precision));
  const { country: hidden, ...others } = JSON.parse(row.place_details ?? "{}");
  const known: string | undefined = row.country ?? hidden;
  const isHidden = precision === 0;
  const details = { ...others, ...(isHidden && known !== undefined && { country: known }) };
  const country = isHidden ? undefined : known;
  const facets = facetsOf({
    assignmentId: row.assignment_id,
    ownerId: row.owner_id,
    userId: row.user_id ?? undefined,
    country,
    geohash: visible.geohash ?? undefined,
    images: row.images,
    videos: row.videos,
    tagIds: tagIdsOf(row.facets),
  });
  return {
    ...row,
    ...visible,
    country: country ?? null,
    place_details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
    facets: facets.join(" "),
  };
}

/** Reads the setting when it runs: of two changes in a row the last one counts. */
const blur = jobsFor<Tables, State>()({
  name: "contributions.blur",
  payload: Type.Object({ assignment: Type.String(), afterPlace: Type.Integer() }),
  async run({ assignment: id, afterPlace }, context) {
    const { db, account } = context;
    const assignment = await findAssignment(db, account, id);
    if (!assignment) return;
    const { location_precision: given } = assignment;
    const precision = given === null ? undefined : Number(given);
    const rows = await listLocated(db, account, id, { afterPlace, limit: AT_ONCE });
    for (const row of rows) {
      const now = blurred(row, precision);
      const isSame = (["geohash", "latitude", "longitude", "country"] as const).every(
        (column) => now[column] === row[column],
      );
      if (!isSame) await replaceContribution(db, now);
    }
    const last = rows.at(-1);
    if (last && rows.length === AT_ONCE)
      await context.enqueue(blur, { assignment: id, afterPlace: last.place });
  },
});

export const scheduleBlurring = (
  context: Pick<ContributionsContext, "enqueue">,
  assignment: string,
): Promise<string> => context.enqueue(blur, { assignment, afterPlace: 0 });

export const blurringJobs = [blur];
