/** Tags and tag sets. */
import { Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import { isOwner } from "../domain/access.ts";
import { freeUrlWords, urlWordsOf } from "../domain/url-words.ts";
import { errors } from "../errors.ts";
import { noteChange } from "../jobs/changes.ts";
import type { ContributionsContext, State } from "../state.ts";
import { takenUrlWords } from "../store/assignments.ts";
import * as store from "../store/tags.ts";
import type { Tables, TagRow } from "../tables/index.ts";
import { tagViewsOf } from "../views/assignment-views.ts";
import { noteUser, signedInCallerOf } from "../views/caller.ts";
import { tagSetViewOf } from "../views/tag-views.ts";
import { Tag, TagSet, TagSetSubmission, TagSubmission } from "../wire/tags.ts";
import { named, pageQuery } from "../wire/texts.ts";
import { checkPage, counted } from "./paging.ts";

const operation = operationsFor<Tables, State>();
const TAGS_MAX = 10_000;

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples: [example] }));
const ownedBy = text("Of this person.", "usr_1m7fqc7680000eyv1bw2px5");
const urlWords = text("Spelt so in addresses.", "floods");

async function viewOf(context: ContributionsContext, row: TagRow) {
  const view = (await tagViewsOf(context, [row])).get(row.id);
  if (!view) throw errors.notFound(`There is no tag ${row.id}.`);
  return view;
}
async function urlWordsFor(
  { db, account }: ContributionsContext,
  table: "contributions_tag" | "contributions_tag_set",
  { ownerId, name, asked }: { ownerId: string; name: string; asked: string | undefined },
): Promise<string> {
  const wanted = asked ?? urlWordsOf(name, "tag");
  const taken = await takenUrlWords(db, account, table, { ownerId, urlWords: wanted });
  if (asked !== undefined && taken.has(asked))
    throw errors.invalid(`Another one of yours is called ${asked}.`, { target: "urlWords" });
  return freeUrlWords(wanted, taken);
}

const postTag = operation({
  id: "contributions.tags.create",
  summary: "Creates a tag",
  description: `An account may have ${TAGS_MAX} tags. The tag set must belong to the caller.`,
  method: "POST",
  path: "/tags",
  permission: "contributions:CreateTag",
  body: TagSubmission,
  answers: { 200: Tag },
  errors: [errors.invalid, errors.tooMany],
  examples: { body: { name: "Floods", colour: "#1f6feb" } },
  async handle({ body }, context) {
    const { db, account, ids, clock } = context;
    const caller = signedInCallerOf(context);
    if ((await store.countTags(db, account)) >= TAGS_MAX)
      throw errors.tooMany(`An account has ${TAGS_MAX} tags at the most.`);
    const setId = body.tagSet?.id;
    const set = setId === undefined ? undefined : await store.findTagSet(db, account, setId);
    if (setId !== undefined && (!set || !isOwner(caller, { ownerId: set.owner_id })))
      throw errors.invalid(`There is no tag set ${setId} of yours.`, { target: "tagSet" });
    await noteUser(context, caller.userId);
    const asked = { ownerId: caller.userId, name: body.name, asked: body.urlWords };
    const row: TagRow = {
      account,
      id: ids.next("tag"),
      owner_id: caller.userId,
      tag_set_id: setId ?? null,
      name: body.name,
      url_words: await urlWordsFor(context, "contributions_tag", asked),
      colour: body.colour ?? null,
      created_at: clock.nowMs(),
    };
    await store.insertTag(db, row);
    const told = { description: row.name, recordId: row.id, ownerId: caller.userId, userId: caller.userId };
    await noteChange(context, { type: "tag.created", ...told });
    return viewOf(context, row);
  },
});
const readTag = operation({
  id: "contributions.tags.get",
  summary: "Returns a tag",
  description: "Tags are public in the account.",
  method: "GET",
  path: "/tags/{id}",
  permission: "contributions:GetTag",
  params: named,
  answers: { 200: Tag },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const row = await store.findTag(context.db, context.account, params.id);
    if (!row) throw errors.notFound(`There is no tag ${params.id}.`);
    return viewOf(context, row);
  },
});
const listTags = operation({
  id: "contributions.tags.list",
  summary: "Lists tags by name",
  description: "`X-total-count` has the number of all.",
  method: "GET",
  path: "/tags",
  permission: "contributions:ListTags",
  query: Type.Object({
    ownedBy,
    tagSet: text("Of this set.", "set_1m7fqc7680000eyv1bw2px5"),
    urlWords,
    ...pageQuery,
  }),
  answers: { 200: Type.Array(Tag) },
  errors: [errors.invalid],
  async handle({ query: { page, pageSize, ...filter } }, context) {
    const { db, account } = context;
    const { rows, total } = await store.pageOfTags(db, account, filter, checkPage({ page, pageSize }));
    return counted([...(await tagViewsOf(context, rows)).values()], total);
  },
});

const postTagSet = operation({
  id: "contributions.tagsets.create",
  summary: "Creates a tag set",
  description: "Add tags with `contributions.tags.create` and its id.",
  method: "POST",
  path: "/tagsets",
  permission: "contributions:CreateTagSet",
  body: TagSetSubmission,
  answers: { 200: TagSet },
  errors: [errors.invalid],
  examples: { body: { name: "Subjects", urlWords: "subjects" } },
  async handle({ body }, context) {
    const { db, account, ids, clock } = context;
    const caller = signedInCallerOf(context);
    await noteUser(context, caller.userId);
    const asked = { ownerId: caller.userId, name: body.name, asked: body.urlWords };
    const row = {
      account,
      id: ids.next("set"),
      owner_id: caller.userId,
      name: body.name,
      url_words: await urlWordsFor(context, "contributions_tag_set", asked),
      created_at: clock.nowMs(),
    };
    await store.insertTagSet(db, row);
    const told = { description: row.name, recordId: row.id, ownerId: caller.userId, userId: caller.userId };
    await noteChange(context, { type: "tagset.created", ...told });
    return tagSetViewOf(row);
  },
});
const readTagSet = operation({
  id: "contributions.tagsets.get",
  summary: "Returns a tag set",
  description: "Its tags are listed with all tags.",
  method: "GET",
  path: "/tagsets/{id}",
  permission: "contributions:GetTagSet",
  params: named,
  answers: { 200: TagSet },
  errors: [errors.notFound],
  async handle({ params }, { db, account }) {
    const row = await store.findTagSet(db, account, params.id);
    if (!row) throw errors.notFound(`There is no tag set ${params.id}.`);
    return tagSetViewOf(row);
  },
});
const listTagSets = operation({
  id: "contributions.tagsets.list",
  summary: "Lists tag sets by name",
  description: "`X-total-count` has the number of all.",
  method: "GET",
  path: "/tagsets",
  permission: "contributions:ListTagSets",
  query: Type.Object({ ownedBy, urlWords, ...pageQuery }),
  answers: { 200: Type.Array(TagSet) },
  errors: [errors.invalid],
  async handle({ query: { page, pageSize, ...filter } }, { db, account }) {
    const { rows, total } = await store.pageOfTagSets(db, account, filter, checkPage({ page, pageSize }));
    return counted(rows.map(tagSetViewOf), total);
  },
});

export const tagOperations = [listTags, postTag, readTag, listTagSets, postTagSet, readTagSet];
