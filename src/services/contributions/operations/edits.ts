/** Contributors edit their text until somebody has decided on it. Earlier versions are stored. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { operationsFor } from "#kernel/operation";
import { isModerator } from "../domain/access.ts";
import { wordsOf } from "../domain/words.ts";
import { errors } from "../errors.ts";
import type { ContributionsContext, State } from "../state.ts";
import { insertEdit, listEdits } from "../store/edits.ts";
import { moderationsOf } from "../store/opinions.ts";
import { replaceContribution } from "../store/places.ts";
import type { ContributionRow, EditRow, Tables } from "../tables/index.ts";
import { signedInCallerOf } from "../views/caller.ts";
import { Contribution, ContributionChange, Edit } from "../wire/contributions.ts";
import { named } from "../wire/texts.ts";
import { getContribution, viewOf } from "./contributions.ts";
import { noteContribution } from "./create-contribution.ts";

const EDITS_MAX = 100;
const operation = operationsFor<Tables, State>();

async function requireUndecided(
  { db, account }: ContributionsContext,
  { id }: ContributionRow,
): Promise<void> {
  const last = (await moderationsOf(db, account, [id])).get(id)?.at(-1);
  if (!last) return;
  throw errors.decided(
    last.action === "flag" || last.action === "hold"
      ? "It is hidden until a moderator decides on it: its text cannot be changed."
      : "It has been decided on: its text cannot be changed any more.",
  );
}
const historyOf = (edits: readonly EditRow[]) =>
  edits.map(({ headline, body, attribution, edited_at }) => ({
    headline,
    body,
    attribution,
    until: isoOf(Number(edited_at)),
  }));

const change = operation({
  id: "contributions.contributions.change",
  summary: "Changes the text of a contribution",
  description: `Only its contributor may, and only before a decision of moderation. Earlier texts are kept, up to ${EDITS_MAX}. The URL stays. The same text changes nothing.`,
  method: "PATCH",
  path: "/contributions/{id}",
  permission: "contributions:ChangeContribution",
  tags: ["addition"],
  params: named,
  body: ContributionChange,
  answers: { 200: Contribution },
  errors: [errors.invalid, errors.notPermitted, errors.notFound, errors.decided, errors.tooMany],
  async handle({ params, body }, context) {
    const { db, account, clock, ids } = context;
    const caller = signedInCallerOf(context);
    const { row } = await getContribution(context, caller, params.id);
    if (row.user_id !== caller.userId) throw errors.notPermitted("Only its contributor may change it.");
    await requireUndecided(context, row);
    const headline = body.headline?.trim() ?? row.headline;
    const changed = {
      headline,
      body: body.body ?? row.body,
      attribution: body.attribution ?? row.attribution,
    };
    if (`${changed.headline}${changed.body}`.trim() === "" && row.images + row.videos === 0)
      throw errors.invalid("A contribution says or shows something.", { target: "headline" });
    const isSame = Object.entries(changed).every(
      ([name, text]) => row[name as keyof typeof changed] === text,
    );
    if (isSame) return viewOf(context, caller, row);
    if ((await listEdits(db, account, row.id)).length >= EDITS_MAX)
      throw errors.tooMany(`A contribution is changed ${EDITS_MAX} times at the most.`);
    await insertEdit(db, {
      account,
      contribution_id: row.id,
      id: ids.sortable(),
      headline: row.headline,
      body: row.body,
      attribution: row.attribution,
      edited_at: clock.nowMs(),
    });
    // The URL stays the same, because others may have linked to it.
    const next: ContributionRow = { ...row, ...changed, words: wordsOf(headline).join(" ") };
    await replaceContribution(db, next);
    await noteContribution(context, "contribution.changed", next, caller);
    return viewOf(context, caller, next);
  },
});

const history = operation({
  id: "contributions.contributions.edits",
  summary: "Lists earlier texts of a contribution, newest first",
  description: "For its contributor and its moderators.",
  method: "GET",
  path: "/contributions/{id}/edits",
  permission: "contributions:ListEdits",
  tags: ["addition"],
  params: named,
  answers: { 200: Type.Array(Edit) },
  errors: [errors.notPermitted, errors.notFound],
  async handle({ params }, context) {
    const caller = signedInCallerOf(context);
    const { row, owned } = await getContribution(context, caller, params.id);
    if (row.user_id !== caller.userId && !isModerator(caller, owned))
      throw errors.notPermitted("Only its contributor, or who decides on it, may read this.");
    return historyOf(await listEdits(context.db, context.account, row.id));
  },
});

export const editOperations = [change, history];
