/** Demo data. Seeding is idempotent. */

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
  readonly place: string;
  readonly picture?: SceneName;
  readonly action?: "approve" | "reject";
};
const CONTRIBUTIONS: readonly Demo[] = [
  {
    headline: "The bridge this morning",
    body: "The water has reached the second step.",
    place: "Lyon, France",
    picture: "bridge",
    action: "approve",
  },
  {
    headline: "Ducks on the football field",
    body: "At least forty of them.",
    place: "Deutschland",
    picture: "ducks",
    action: "approve",
  },
  {
    headline: "Our street, by boat",
    body: "Everybody is safe.",
    place: "Portugal",
    picture: "street",
    action: "approve",
  },
  { headline: "Buy cheap umbrellas", body: "Best prices.", place: "Canada", action: "reject" },
  { headline: "Sunset behind the dam", body: "Taken from the hill.", place: "Japan", picture: "dam" },
  { headline: "The ferry is back", body: "First crossing since Monday.", place: "Norway", picture: "ferry" },
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
    const draft = { assignmentId: assignment.id, headline, body, place: { name: place }, mediaIds };
    const { row } = await createContribution(context, caller, draft);
    if (action) await moderate(context, caller, row, { action, notes: "" });
  }
}
