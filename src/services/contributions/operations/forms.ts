/** Forms and responses. */
import { Type } from "@sinclair/typebox";
import { noBody, operationsFor } from "#kernel/operation";
import { type Caller, isModerator, isOwner } from "../domain/access.ts";
import { type Field, problemsOfFields, problemsOfResponse } from "../domain/forms.ts";
import { errors } from "../errors.ts";
import { noteChange } from "../jobs/changes.ts";
import { scheduleResponsesDeletion } from "../jobs/deletion.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import { findContribution } from "../store/contributions.ts";
import * as store from "../store/forms.ts";
import { setTags } from "../store/tags.ts";
import type { FormResponseRow, FormRow, Tables } from "../tables/index.ts";
import { ownedOf, recordTagsOf } from "../views/assignment-views.ts";
import { callerOf, noteUser, signedInCallerOf } from "../views/caller.ts";
import {
  Form,
  FormResponse,
  FormResponseSubmission,
  FormSubmission,
  formViewOf,
  responseViewOf,
} from "../wire/forms.ts";
import { named, pageQuery } from "../wire/texts.ts";
import { getTagIds } from "./given-records.ts";
import { checkPage, counted } from "./paging.ts";

const operation = operationsFor<Tables, State>();
const FORMS_MAX = 10_000;

async function getForm({ db, account }: ContributionsContext, id: string): Promise<FormRow> {
  const form = await store.findForm(db, account, id);
  if (!form) throw errors.notFound(`There is no form ${id}.`);
  return form;
}
async function viewOf(context: ContributionsContext, form: FormRow) {
  return formViewOf(form, (await recordTagsOf(context, "form", [form.id]))(form.id));
}

const postForm = operation({
  id: "contributions.forms.create",
  summary: "Creates a form",
  description: `An account may have ${FORMS_MAX} forms. Use it by the \`form\` of an assignment: then contributions must fill it in.`,
  method: "POST",
  path: "/forms",
  permission: "contributions:CreateForm",
  body: FormSubmission,
  answers: { 200: Form },
  errors: [errors.invalid, errors.tooMany],
  examples: {
    body: {
      name: "Contact",
      fields: [{ name: "phone", label: "Your number", type: "telephone", required: true }],
    },
  },
  async handle({ body }, context) {
    const { db, account, ids, clock } = context;
    const caller = signedInCallerOf(context);
    const problems = problemsOfFields(body.fields);
    if (problems.length > 0) throw errors.invalid("The form's fields are not right.", { details: problems });
    if ((await store.countForms(db, account)) >= FORMS_MAX)
      throw errors.tooMany(`An account has ${FORMS_MAX} forms at the most.`);
    await noteUser(context, caller.userId);
    const row: FormRow = {
      account,
      id: ids.next("frm"),
      owner_id: caller.userId,
      name: body.name,
      heading: body.heading ?? "",
      call_to_action: body.callToAction ?? "",
      css_url: body.cssUrl ?? null,
      no_css: body.noCss === true ? 1 : 0,
      fields: JSON.stringify(body.fields),
      created_at: clock.nowMs(),
    };
    await store.insertForm(db, row);
    await setTags(db, account, { kind: "form", recordId: row.id }, await getTagIds(context, body.tags));
    const told = { description: row.name, recordId: row.id, ownerId: caller.userId, userId: caller.userId };
    await noteChange(context, { type: "form.created", ...told });
    return viewOf(context, row);
  },
});
const readForm = operation({
  id: "contributions.forms.get",
  summary: "Returns a form",
  description: "Forms are public in the account; responses are not.",
  method: "GET",
  path: "/forms/{id}",
  permission: "contributions:GetForm",
  params: named,
  answers: { 200: Form },
  errors: [errors.notFound],
  handle: async ({ params }, context) => viewOf(context, await getForm(context, params.id)),
});
const listForms = operation({
  id: "contributions.forms.list",
  summary: "Lists the forms of a person, newest first",
  description: "`X-total-count` has the number of all.",
  method: "GET",
  path: "/forms",
  permission: "contributions:ListForms",
  query: Type.Object({
    ownedBy: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Whose forms.",
      examples: ["usr_1m7fqc7680000eyv1bw2px5"],
    }),
    ...pageQuery,
  }),
  answers: { 200: Type.Array(Form) },
  errors: [errors.invalid],
  async handle({ query: { ownedBy, page, pageSize } }, context) {
    const { db, account } = context;
    const { rows, total } = await store.pageOfForms(db, account, ownedBy, checkPage({ page, pageSize }));
    const tags = await recordTagsOf(
      context,
      "form",
      rows.map(({ id }) => id),
    );
    return counted(
      rows.map((row) => formViewOf(row, tags(row.id))),
      total,
    );
  },
});
const deleteForm = operation({
  id: "contributions.forms.delete",
  summary: "Deletes a form with its responses",
  description: "Only its owner may. A job deletes the responses. Contributions stay.",
  method: "DELETE",
  path: "/forms/{id}",
  permission: "contributions:DeleteForm",
  params: named,
  answers: { 200: noBody },
  errors: [errors.notFound, errors.notPermitted],
  async handle({ params }, context) {
    const { db, account } = context;
    const caller = signedInCallerOf(context);
    const form = await getForm(context, params.id);
    if (!isOwner(caller, { ownerId: form.owner_id }))
      throw errors.notPermitted("Only its owner may do this.");
    await store.removeForm(db, account, form.id);
    await setTags(db, account, { kind: "form", recordId: form.id }, []);
    await scheduleResponsesDeletion(context, form.id);
    const told = { description: form.name, recordId: form.id, ownerId: form.owner_id, userId: caller.userId };
    await noteChange(context, { type: "form.deleted", ...told });
  },
});

/** Validates a response against its form and stores it. Needs a transaction. */
export async function saveResponse(
  context: ContributionsContext,
  caller: Caller,
  form: FormRow,
  {
    responses,
    contributionId,
  }: { responses: Readonly<Record<string, string>>; contributionId: string | undefined },
): Promise<FormResponseRow> {
  const { db, account, ids, clock } = context;
  const fields: Field[] = JSON.parse(form.fields);
  const problems = problemsOfResponse(fields, responses);
  if (problems.length > 0) throw errors.invalid("The form is not filled in right.", { details: problems });
  const row: FormResponseRow = {
    account,
    id: ids.sortable(),
    form_id: form.id,
    user_id: caller.userId ?? null,
    contribution_id: contributionId ?? null,
    responses: JSON.stringify(responses),
    created_at: clock.nowMs(),
  };
  await store.insertResponse(db, row);
  await noteChange(context, {
    type: "form-response.created",
    description: form.name,
    recordId: row.id,
    ownerId: form.owner_id,
    userId: caller.userId,
  });
  return row;
}

const postResponse = operation({
  id: "contributions.form-responses.create",
  summary: "Fills in a form",
  description:
    "Required fields must be filled in, and all problems are reported together. A contribution that is named must be the caller's own.",
  method: "POST",
  path: "/form-responses",
  permission: "contributions:CreateFormResponse",
  body: FormResponseSubmission,
  answers: { 200: FormResponse },
  errors: [errors.invalid],
  examples: { body: { form: "frm_1m7fqc7680000eyv1bw2px5", responses: { phone: "+44 20 7946 0000" } } },
  async handle({ body }, context) {
    const { db, account } = context;
    const caller = signedInCallerOf(context);
    const form = await store.findForm(db, account, body.form);
    if (!form) throw errors.invalid(`There is no form ${body.form}.`, { target: "form" });
    const { contribution: contributionId } = body;
    if (contributionId !== undefined) {
      const contribution = await findContribution(db, account, contributionId);
      const isTheirs = caller.kind === "account" || contribution?.user_id === caller.userId;
      if (!contribution || !isTheirs)
        throw errors.invalid(`There is no contribution ${contributionId} of yours.`, {
          target: "contribution",
        });
    }
    await noteUser(context, caller.userId);
    return responseViewOf(
      await saveResponse(context, caller, form, { responses: body.responses, contributionId }),
    );
  },
});

/** Visible to its author, to the form's owner, and to those who decide on its contribution. */
async function mayRead(
  context: ContributionsContext,
  caller: Caller,
  row: FormResponseRow,
): Promise<boolean> {
  const { db, account } = context;
  if (caller.kind === "account" || (row.user_id !== null && row.user_id === caller.userId)) return true;
  const form = await store.findForm(db, account, row.form_id);
  if (form && isOwner(caller, { ownerId: form.owner_id })) return true;
  const contribution =
    row.contribution_id === null ? undefined : await findContribution(db, account, row.contribution_id);
  const assignment = contribution && (await findAssignment(db, account, contribution.assignment_id));
  return assignment !== undefined && isModerator(caller, ownedOf(assignment));
}
const readResponse = operation({
  id: "contributions.form-responses.get",
  summary: "Returns a response to a form",
  description: "404 for callers who may not see it.",
  method: "GET",
  path: "/form-responses/{id}",
  permission: "contributions:GetFormResponse",
  params: named,
  answers: { 200: FormResponse },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const row = await store.findResponse(context.db, context.account, params.id);
    if (!row || !(await mayRead(context, callerOf(context), row)))
      throw errors.notFound(`There is no form response ${params.id}.`);
    return responseViewOf(row);
  },
});
const idText = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description, examples: [example] }));
const listResponses = operation({
  id: "contributions.form-responses.list",
  summary: "Lists the responses to a form, newest first",
  description: "The owner of the form sees all responses.",
  method: "GET",
  path: "/form-responses",
  permission: "contributions:ListFormResponses",
  query: Type.Object({
    user: idText("By this person.", "usr_1m7fqc7680000eyv1bw2px5"),
    form: idText("Of this form.", "frm_1m7fqc7680000eyv1bw2px5"),
    contribution: idText("Of this contribution.", "1m7fqc7680000eyv1bw2px5"),
    ...pageQuery,
  }),
  answers: { 200: Type.Array(FormResponse) },
  errors: [errors.invalid],
  async handle({ query: { page, pageSize, ...filter } }, context) {
    const { db, account } = context;
    const asked = checkPage({ page, pageSize });
    const { rows, total } = await store.pageOfResponses(db, account, filter, callerOf(context), asked);
    return counted(rows.map(responseViewOf), total);
  },
});

export const formOperations = [
  listForms,
  postForm,
  readForm,
  deleteForm,
  listResponses,
  postResponse,
  readResponse,
];
