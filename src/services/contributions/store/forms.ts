/** Forms and responses. */
import { type Kysely, sql } from "kysely";
import type { Caller } from "../domain/access.ts";
import { type Answer, publicAnswersOf } from "../domain/forms.ts";
import type { FormResponseRow, FormRow, Tables } from "../tables/index.ts";
import { type Counted, type PageNumber, paged } from "./paged.ts";

type Db = Kysely<Tables>;

export const findForm = (db: Db, account: string, id: string): Promise<FormRow | undefined> =>
  db
    .selectFrom("contributions_form")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
export const insertForm = (db: Db, row: FormRow) => db.insertInto("contributions_form").values(row).execute();
export const pageOfForms = (
  db: Db,
  account: string,
  ownedBy: string,
  page: PageNumber,
): Promise<Counted<FormRow>> =>
  paged(
    db.selectFrom("contributions_form").where("account", "=", account).where("owner_id", "=", ownedBy),
    [["id", "desc"]],
    page,
  );
export async function countForms(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("contributions_form")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** Assignments with this form have none from now on. */
export async function removeForm(db: Db, account: string, id: string): Promise<void> {
  await db
    .updateTable("contributions_assignment")
    .set({ form_id: null })
    .where("account", "=", account)
    .where("form_id", "=", id)
    .execute();
  await db.deleteFrom("contributions_form").where("account", "=", account).where("id", "=", id).execute();
}

/** Responses are hidden as soon as their form is deleted. */
const hasForm = sql<boolean>`exists (select 1 from contributions_form form
  where form.account = contributions_form_response.account and form.id = contributions_form_response.form_id)`;

export const findResponse = (db: Db, account: string, id: string): Promise<FormResponseRow | undefined> =>
  db
    .selectFrom("contributions_form_response")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .where(hasForm)
    .executeTakeFirst();
/** The public answers, by response id. */
export async function publicAnswersOfResponses(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<Map<string, Answer[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("contributions_form_response as response")
    .innerJoin("contributions_form as form", "form.id", "response.form_id")
    .select(["response.id", "response.responses", "form.fields"])
    .where("response.account", "=", account)
    .where("response.id", "in", ids)
    .execute();
  const answers = rows.map(
    ({ id, responses, fields }) => [id, publicAnswersOf(JSON.parse(fields), JSON.parse(responses))] as const,
  );
  return new Map(answers.filter(([, given]) => given.length > 0));
}
export const insertResponse = (db: Db, row: FormResponseRow) =>
  db.insertInto("contributions_form_response").values(row).execute();

export type ResponseFilter = {
  readonly user?: string | undefined;
  readonly form?: string | undefined;
  readonly contribution?: string | undefined;
};
/**
 * Newest first: the caller's own, those to the caller's forms, and those of contributions to the caller's
 * assignments.
 */
export function pageOfResponses(
  db: Db,
  account: string,
  { user, form, contribution }: ResponseFilter,
  caller: Caller,
  page: PageNumber,
): Promise<Counted<FormResponseRow>> {
  let query = db.selectFrom("contributions_form_response").where("account", "=", account).where(hasForm);
  if (user !== undefined) query = query.where("user_id", "=", user);
  if (form !== undefined) query = query.where("form_id", "=", form);
  if (contribution !== undefined) query = query.where("contribution_id", "=", contribution);
  if (caller.kind !== "account") {
    const me = caller.userId ?? "";
    query = query.where((is) =>
      is.or([
        is("user_id", "=", me),
        is(
          "form_id",
          "in",
          db
            .selectFrom("contributions_form as f")
            .select("f.id")
            .where("f.account", "=", account)
            .where("f.owner_id", "=", me),
        ),
        is(
          "contribution_id",
          "in",
          db
            .selectFrom("contributions_contribution as c")
            .innerJoin("contributions_assignment as a", "a.id", "c.assignment_id")
            .select("c.id")
            .where("c.account", "=", account)
            .where((of) => of.or([of("a.owner_id", "=", me), of("a.moderator_id", "=", me)])),
        ),
      ]),
    );
  }
  return paged(query, [["id", "desc"]], page);
}
/** Removes the references of contributions, too. Returns how many were deleted. */
export async function removeResponsesOfForm(
  db: Db,
  account: string,
  formId: string,
  limit: number,
): Promise<number> {
  const rows = await db
    .selectFrom("contributions_form_response")
    .select(["id", "contribution_id"])
    .where("account", "=", account)
    .where("form_id", "=", formId)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const contributionIds = rows.flatMap((row) => row.contribution_id ?? []);
  if (contributionIds.length > 0)
    await db
      .updateTable("contributions_contribution")
      .set({ form_response_id: null })
      .where("account", "=", account)
      .where("id", "in", contributionIds)
      .where("form_response_id", "in", ids)
      .execute();
  await db
    .deleteFrom("contributions_form_response")
    .where("account", "=", account)
    .where("id", "in", ids)
    .execute();
  return rows.length;
}
