/** Demo data. Seeding is idempotent. */

import type { Position } from "./domain/globe.ts";
import { keepPicture } from "./jobs/receive-media.ts";
import { createAssignment } from "./operations/assignments.ts";
import { createContribution } from "./operations/create-contribution.ts";
import { moderate } from "./operations/opinions.ts";
import { paint, type SceneName } from "./seed-pictures.ts";
import type { ContributionsContext } from "./state.ts";
import { takenUrlWords } from "./store/assignments.ts";
import { callerOf } from "./views/caller.ts";

const URL_WORDS = "the-river-today";
type Demo = {
  readonly headline: string;
  readonly body: string;
  readonly place: { readonly name: string; readonly latLong: Position };
  readonly picture?: SceneName;
  readonly action?: "approve" | "reject";
};
const CONTRIBUTIONS: readonly Demo[] = [
  {
    headline: "The bridge this morning",
    body: "The water has reached the second step.",
    place: { name: "Lyon, France", latLong: { latitude: 45.76, longitude: 4.84 } },
    picture: "bridge",
    action: "approve",
  },
  {
    headline: "Ducks on the football field",
    body: "At least forty of them.",
    place: { name: "Deutschland", latLong: { latitude: 50.94, longitude: 6.96 } },
    picture: "ducks",
    action: "approve",
  },
  {
    headline: "Our street, by boat",
    body: "Everybody is safe.",
    place: { name: "Portugal", latLong: { latitude: 38.71, longitude: -9.14 } },
    picture: "street",
    action: "approve",
  },
  {
    headline: "Buy cheap umbrellas",
    body: "Best prices.",
    place: { name: "Canada", latLong: { latitude: 45.5, longitude: -73.57 } },
    action: "reject",
  },
  {
    headline: "Sunset behind the dam",
    body: "Taken from the hill.",
    place: { name: "Japan", latLong: { latitude: 35.0, longitude: 135.77 } },
    picture: "dam",
  },
  {
    headline: "The ferry is back",
    body: "First crossing since Monday.",
    place: { name: "Norway", latLong: { latitude: 60.39, longitude: 5.32 } },
    picture: "ferry",
  },
];

export async function seed(context: ContributionsContext): Promise<void> {
  const { db, account } = context;
  const caller = callerOf(context);
  const taken = await takenUrlWords(db, account, "contributions_assignment", {
    ownerId: caller.userId ?? account,
    urlWords: URL_WORDS,
  });
  if (taken.has(URL_WORDS)) return;
  const assignment = await createAssignment(context, {
    name: "The river today",
    urlWords: URL_WORDS,
    description: "Show us the river where you live, and say in a line what you see.",
    callToAction: "Send your picture",
    receiptMessage: "Thank you. An editor looks at it before everybody sees it.",
    allowsAnonymousContributions: true,
    locationPrecision: 4,
  });
  const sender = { userId: caller.userId ?? null };
  for (const { headline, body, place, picture, action } of CONTRIBUTIONS) {
    const mediaIds = picture ? [await keepPicture(context, sender, paint(picture))] : [];
    const draft = { assignmentId: assignment.id, headline, body, place, mediaIds };
    const { row } = await createContribution(context, caller, draft);
    if (action) await moderate(context, caller, row, { action, notes: "" });
  }
}
