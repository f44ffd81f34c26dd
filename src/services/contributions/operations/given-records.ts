/** Records that a submission names: each must exist, and the caller must be allowed to use it. */
import { type Caller, isOwner } from "../domain/access.ts";
import { errors } from "../errors.ts";
import type { ContributionsContext } from "../state.ts";
import { findForm } from "../store/forms.ts";
import { findMedia } from "../store/media.ts";
import { findTags } from "../store/tags.ts";
import type { FormRow, MediaRow } from "../tables/index.ts";

type Named = readonly { readonly id: string }[] | undefined;

/** In order, without duplicates. */
export async function getTagIds({ db, account }: ContributionsContext, named: Named): Promise<string[]> {
  const ids = [...new Set((named ?? []).map(({ id }) => id))];
  const known = await findTags(db, account, ids);
  for (const id of ids)
    if (!known.has(id)) throw errors.invalid(`There is no tag ${id}.`, { target: "tags" });
  return ids;
}

/** Its sender may use it, and the account. */
export async function getMedia(
  { db, account }: ContributionsContext,
  caller: Caller,
  ids: readonly string[],
  target: string,
): Promise<MediaRow[]> {
  const known = await findMedia(db, account, ids);
  return [...new Set(ids)].map((id) => {
    const row = known.get(id);
    const isTheirs = row && (caller.kind === "account" || (row.user_id ?? undefined) === caller.userId);
    if (!row || !isTheirs) throw errors.invalid(`There is no media ${id} of yours.`, { target });
    return row;
  });
}

export async function getOwnForm(
  { db, account }: ContributionsContext,
  caller: Caller,
  id: string,
): Promise<FormRow> {
  const form = await findForm(db, account, id);
  if (!form || !isOwner(caller, { ownerId: form.owner_id }))
    throw errors.invalid(`There is no form ${id} of yours.`, { target: "form" });
  return form;
}
