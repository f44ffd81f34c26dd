/** Patterns. */
import { type Static, Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import type { Entity, Pattern } from "../domain/content.ts";
import {
  BATCH_MAX,
  checkLength,
  checkRoom,
  keyOf,
  PATTERN_LENGTH_MAX,
  PATTERNS_MAX,
} from "../domain/limits.ts";
import { mentionsIn } from "../domain/patterns.ts";
import { errors } from "../errors.ts";
import { checkPattern } from "../learning/index.ts";
import { findEntityByName, findIntentByName } from "../store/models.ts";
import {
  countPatterns,
  deletePatterns,
  insertPatterns,
  listPatterns,
  type StoredPattern,
  updatePattern,
} from "../store/patterns.ts";
import { NewPattern, PatternChange, PatternView } from "../wire/features.ts";
import { Guid, Paging, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { getModel } from "./changes.ts";
import { called, type Editing, edit, getContentPlace, operation } from "./lookup.ts";

const P = "/apps/{appId}/versions/{versionId}";
const params = versionParams({ patternId: Guid });
const example = { pattern: "book [a] flight (to | towards) {City:destination}", intent: "BookFlight" };

const shown = ({ id, text, intent }: Pattern) => ({ id, pattern: text, intent });

async function checkMentions({ db, account, uid }: Editing, text: string): Promise<void> {
  for (const { entity, role } of mentionsIn(text)) {
    const [first = "", child] = entity.split("::");
    const model = (await findEntityByName(db, account, uid, first))?.model as Entity | undefined;
    const hasChild =
      child === undefined ||
      (model?.kind === "hierarchical" && model.children.some(({ name }) => keyOf(name) === keyOf(child)));
    if (!model || !("roles" in model) || !hasChild)
      throw errors.badArgument(`The pattern names the entity ${entity}, which does not exist.`);
    if (role !== undefined && !model.roles.some(({ name }) => keyOf(name) === keyOf(role)))
      throw errors.badArgument(`The pattern names the role ${role}, which the entity ${model.name} has not.`);
  }
}

type Given = Static<typeof NewPattern>;
async function checkedPattern(
  editing: Editing,
  given: Given,
  before?: Pattern,
): Promise<Pick<Pattern, "text" | "intent">> {
  const text = (given.pattern ?? before?.text ?? "").trim();
  if (text === "") throw errors.badArgument("The pattern must be given.");
  checkLength("pattern", text, PATTERN_LENGTH_MAX);
  const reason = checkPattern(text);
  if (reason !== undefined) throw errors.badArgument(`The pattern '${text}' is not well formed: ${reason}`);
  await checkMentions(editing, text);
  const wanted = given.intent ?? before?.intent ?? "";
  const intent = (await findIntentByName(editing.db, editing.account, editing.uid, wanted))?.model;
  if (intent?.kind !== "intent") throw errors.badArgument(`The intent ${wanted} does not exist.`);
  return { text, intent: intent.name };
}

async function addPatterns(
  editing: Editing,
  given: readonly Given[],
  newId: () => string,
): Promise<StoredPattern[]> {
  const { db, account, uid } = editing;
  checkRoom("patterns", (await countPatterns(db, account, uid)) + given.length, PATTERNS_MAX);
  const added: StoredPattern[] = [];
  for (const one of given) {
    const pattern = await checkedPattern(editing, one);
    added.push({ id: newId(), ...pattern, position: editing.nextNumber() });
    editing.touch(pattern.intent);
  }
  await insertPatterns(db, account, uid, added);
  return added;
}

async function changePattern(editing: Editing, id: string | undefined, given: Given): Promise<Pattern> {
  const { db, account, uid } = editing;
  const [before] = id === undefined ? [] : await listPatterns(db, account, uid, { id: id.toLowerCase() });
  if (!before) throw errors.badArgument(`There is no pattern with the ID ${id ?? ""}.`);
  const pattern = { ...before, ...(await checkedPattern(editing, given, before)) };
  editing.touch(before.intent, pattern.intent);
  await updatePattern(db, account, uid, pattern);
  return pattern;
}

async function removePatterns(editing: Editing, ids: readonly string[]): Promise<void> {
  const { db, account, uid } = editing;
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const found = await listPatterns(db, account, uid, { id: wanted });
  const missing = wanted.find((id) => !found.some((one) => one.id === id));
  if (missing !== undefined) throw errors.badArgument(`There is no pattern with the ID ${missing}.`);
  editing.touch(...found.map(({ intent }) => intent));
  await deletePatterns(db, account, uid, { id: wanted });
}

export const patternOperations = [
  operation({
    ...called("patterns", "AddPattern"),
    summary: "Adds a pattern to a version",
    description: `\`[…]\` is optional, \`(a | b)\` is a choice, \`{Entity}\` and \`{Entity:role}\` stand for entities, which must exist. A pattern has at most ${PATTERN_LENGTH_MAX} characters, and a version ${PATTERNS_MAX} patterns.`,
    method: "POST",
    path: `${P}/patternrule`,
    params: VersionParams,
    body: NewPattern,
    answers: { 201: PatternView },
    examples: { body: example },
    handle: ({ params: named, body }, context) =>
      edit(context, named, async (editing) => {
        const [added] = await addPatterns(editing, [body], () => context.ids.uuid());
        if (!added) throw errors.badArgument("The pattern must be given.");
        return answer(201, shown(added));
      }),
  }),
  operation({
    ...called("patterns", "BatchAddPatterns"),
    summary: "Adds several patterns to a version",
    description: `All or nothing: one that is refused stops all. At most ${PATTERNS_MAX} patterns in a version.`,
    method: "POST",
    path: `${P}/patternrules`,
    params: VersionParams,
    body: Type.Array(NewPattern, { maxItems: BATCH_MAX, description: "The patterns." }),
    answers: { 201: Type.Array(PatternView) },
    examples: { body: [example] },
    handle: ({ params: named, body }, context) =>
      edit(context, named, async (editing) =>
        answer(201, (await addPatterns(editing, body, () => context.ids.uuid())).map(shown)),
      ),
  }),
  operation({
    ...called("patterns", "ListPatterns"),
    summary: "Lists the patterns of a version",
    description: "In the order in which they were added.",
    method: "GET",
    path: `${P}/patternrules`,
    params: VersionParams,
    query: Paging,
    answers: { 200: Type.Array(PatternView) },
    async handle({ params: named, query }, context) {
      const { version } = await getContentPlace(context, named);
      return (await listPatterns(context.db, context.account, version.uid, {}, query)).map(shown);
    },
  }),
  operation({
    ...called("patterns", "ListIntentPatterns"),
    summary: "Lists the patterns of an intent",
    description: "In the order in which they were added.",
    method: "GET",
    path: `${P}/intents/{intentId}/patternrules`,
    params: versionParams({ intentId: Guid }),
    query: Paging,
    answers: { 200: Type.Array(PatternView) },
    async handle({ params: named, query }, context) {
      const place = await getContentPlace(context, named);
      const { model } = await getModel(context, place, "intent", named.intentId);
      const which = { intent: model.name };
      const found = await listPatterns(context.db, context.account, place.version.uid, which, query);
      return found.map(shown);
    },
  }),
  operation({
    ...called("patterns", "UpdatePattern"),
    summary: "Changes a pattern",
    description: "Members that are not given stay. Train the version afterwards.",
    method: "PUT",
    path: `${P}/patternrules/{patternId}`,
    params,
    body: PatternChange,
    answers: { 200: PatternView },
    examples: { body: example },
    handle: ({ params: named, body }, context) =>
      edit(context, named, async (editing) => shown(await changePattern(editing, named.patternId, body))),
  }),
  operation({
    ...called("patterns", "UpdatePatterns"),
    summary: "Changes several patterns",
    description: "All or nothing: one that is refused stops all.",
    method: "PUT",
    path: `${P}/patternrules`,
    params: VersionParams,
    body: Type.Array(PatternChange, { maxItems: BATCH_MAX, description: "The patterns, with their ids." }),
    answers: { 200: Type.Array(PatternView) },
    examples: { body: [{ id: "5f1c1c2d-3e4f-4b52-8a34-4a3e9c8b0f0b", ...example }] },
    handle: ({ params: named, body }, context) =>
      edit(context, named, async (editing) => {
        const changed = [];
        for (const one of body) changed.push(shown(await changePattern(editing, one.id, one)));
        return changed;
      }),
  }),
  operation({
    ...called("patterns", "DeletePattern"),
    summary: "Deletes a pattern",
    description: "Train the version afterwards.",
    method: "DELETE",
    path: `${P}/patternrules/{patternId}`,
    params,
    answers: { 200: Status },
    handle: ({ params: named }, context) =>
      edit(context, named, async (editing) => {
        await removePatterns(editing, [named.patternId]);
        return SUCCESS;
      }),
  }),
  operation({
    ...called("patterns", "DeletePatterns"),
    summary: "Deletes several patterns",
    description: "Deletes the patterns whose ids are given. Train the version afterwards.",
    method: "DELETE",
    path: `${P}/patternrules`,
    params: VersionParams,
    body: Type.Array(Guid, { maxItems: PATTERNS_MAX, description: "The ids of patterns." }),
    answers: { 200: Status },
    examples: { body: ["5f1c1c2d-3e4f-4b52-8a34-4a3e9c8b0f0b"] },
    handle: ({ params: named, body }, context) =>
      edit(context, named, async (editing) => {
        await removePatterns(editing, body);
        return SUCCESS;
      }),
  }),
];
