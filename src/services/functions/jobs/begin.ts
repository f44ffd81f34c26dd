/**
 * Starts the creation or change of a function: the operation, the deployment, the trigger and the catalogue
 * entry.
 */
import {
  arnOfFunction,
  type CloudFunction,
  type Definition,
  FUNCTION_TYPE,
  type FunctionName,
  nameOfFunction,
} from "../domain/index.ts";
import type { FunctionsContext } from "../state.ts";
import {
  findObject,
  insertFunction,
  type ServedFunction,
  type StoredOperation,
  saveFunction,
} from "../store/index.ts";
import { watchAsWanted } from "./catalogue-changed.ts";
import { deploy } from "./deploy.ts";
import { planForgetting } from "./forget.ts";
import { remove } from "./remove.ts";
import { beginOperation, DEPLOY_STAGES } from "./work.ts";

const SLUG_LETTERS = 10;

export const lettersOf = (ids: FunctionsContext["ids"], count: number): string =>
  [...ids.uuid().replaceAll("-", "")]
    .slice(0, count)
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
    .join("");

/** Resolves the source now, so that a later upload of the same name does not change this request. */
async function withSource(context: FunctionsContext, said: Definition): Promise<Definition> {
  const { storageSource } = said.buildConfig.source ?? {};
  const found = storageSource && (await findObject(context.db, context.account, storageSource));
  if (!found) return said;
  const { bucket, object, generation } = found;
  const source = { storageSource: { bucket, object, generation } };
  return { ...said, buildConfig: { ...said.buildConfig, source } };
}
async function beginDeploy(
  context: FunctionsContext,
  one: CloudFunction,
  verb: string,
  requestResource: unknown,
): Promise<StoredOperation> {
  const stages = DEPLOY_STAGES.filter((stage) => stage !== "TRIGGER" || one.definition.eventTrigger);
  const operation = await beginOperation(context, one, { verb, stages, requestResource });
  const { project, location, functionId } = one;
  await context.enqueue(deploy, { operation: operation.id, project, location, functionId });
  await planForgetting(context);
  context.afterCommit(() => context.state.running.forgetServed(one.slug));
  return operation;
}
const resourceOf = (account: string, one: CloudFunction) => ({
  arn: arnOfFunction(account, one),
  type: FUNCTION_TYPE,
  name: one.functionId,
  region: one.location,
  tags: one.definition.labels,
  nativeId: nameOfFunction(one),
});

export async function beginCreate(
  context: FunctionsContext,
  name: FunctionName,
  definition: Definition,
  requestResource: unknown,
): Promise<{ readonly begun: StoredOperation; readonly slug: string }> {
  const nowMs = context.clock.nowMs();
  const slug = `${name.functionId}-${lettersOf(context.ids, SLUG_LETTERS)}`;
  const one: CloudFunction = {
    ...name,
    slug,
    definition: await withSource(context, definition),
    state: "DEPLOYING",
    stateMessages: [],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    generation: 1,
    revision: undefined,
    busyWith: undefined,
    upgrade: undefined,
    traffic: undefined,
  };
  const begun = await beginDeploy(context, one, "create", requestResource);
  await insertFunction(context.db, context.account, { ...one, busyWith: begun.id });
  if (one.definition.eventTrigger) await watchAsWanted(context);
  await context.catalog.put(resourceOf(context.account, one));
  return { begun, slug };
}

export async function beginUpdate(
  context: FunctionsContext,
  before: ServedFunction,
  definition: Definition,
  requestResource: unknown,
): Promise<StoredOperation> {
  const one: CloudFunction = {
    ...before,
    definition: await withSource(context, definition),
    state: "DEPLOYING",
    stateMessages: [],
    generation: before.generation + 1,
    updatedAtMs: context.clock.nowMs(),
  };
  const begun = await beginDeploy(context, one, "update", requestResource);
  await saveFunction(context.db, context.account, { ...one, busyWith: begun.id });
  if (before.definition.eventTrigger || one.definition.eventTrigger) await watchAsWanted(context);
  await context.catalog.put(resourceOf(context.account, one), { isNew: false });
  return begun;
}

export async function beginRemove(context: FunctionsContext, one: ServedFunction): Promise<StoredOperation> {
  const begun = await beginOperation(context, one, {
    verb: "delete",
    stages: ["TRIGGER", "SERVICE"],
    requestResource: null,
  });
  await saveFunction(context.db, context.account, { ...one, state: "DELETING", busyWith: begun.id });
  const { project, location, functionId } = one;
  await context.enqueue(remove, { operation: begun.id, project, location, functionId });
  context.afterCommit(() => context.state.running.forgetServed(one.slug));
  return begun;
}
