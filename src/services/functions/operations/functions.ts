/** Functions: made, read, changed, listed and deleted. */
import { Type } from "@sinclair/typebox";
import {
  applyMask,
  arnOfFunction,
  type CloudFunction,
  checkDefinition,
  checkFunctionId,
  definitionOf,
  FUNCTION_FORM,
  FUNCTIONS_MAX,
  type FunctionName,
  isLocation,
  LOCATION_FORM,
  lastPartOf,
  madeUpFunctionId,
  nameOfFunction,
  OPERATION_FORM,
  placeOf,
  readFilter,
  readMask,
  readOrder,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  beginOperation,
  CODES,
  DEPLOY_STAGES,
  deploy,
  planForgetting,
  remove,
  watchAsWanted,
} from "../jobs/index.ts";
import type { FunctionsContext } from "../state.ts";
import {
  countFunctions,
  findFunction,
  findObject,
  findOperation,
  insertFunction,
  listFunctions,
  type ServedFunction,
  type StoredOperation,
  saveFunction,
} from "../store/index.ts";
import { functionView, operationView, originOf } from "../views.ts";
import * as wire from "../wire.ts";
import { claimProject, getFunction, named, operation, parented, permitOwner } from "./operation.ts";

const PAGE_MAX = 1000;
const FUNCTION = "projects/demo/locations/us-central1/functions/hello";
const LOCATION = "projects/demo/locations/us-central1";
const SLUG_LETTERS = 10;
const ID_LETTERS = 12;

const exampleBody = {
  description: "Says hello.",
  buildConfig: {
    runtime: "nodejs20",
    entryPoint: "hello",
    source: { storageSource: { bucket: "gcf-v2-uploads-demo-us-central1", object: "9f8e.zip" } },
  },
  serviceConfig: { availableMemory: "256M", timeoutSeconds: 60 },
};
const lettersOf = (ids: FunctionsContext["ids"], count: number): string =>
  [...ids.uuid().replaceAll("-", "")]
    .slice(0, count)
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
    .join("");

/** The source as it is now: a later upload of the same name does not change what was asked for. */
async function withSource(context: FunctionsContext, said: ReturnType<typeof definitionOf>) {
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

const createFunction = operation({
  id: "functions.create",
  summary: "Makes a function of an uploaded archive",
  method: "POST",
  path: "/v2/{parent}/functions",
  segments: { parent: [LOCATION_FORM] },
  permission: "cloudfunctions.functions.create",
  params: Type.Object({ parent: wire.name("Where to make it.", LOCATION) }),
  query: Type.Object({
    functionId: Type.Optional(
      Type.String({ maxLength: 200, description: "The last part of its name.", examples: ["hello"] }),
    ),
  }),
  body: wire.FunctionBody,
  answers: { 200: wire.OperationView },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.resourceExhausted],
  examples: { body: exampleBody },
  resource: parented,
  async handle({ params, query, body }, context) {
    const place = placeOf(params.parent);
    if (!isLocation(place.location))
      throw errors.invalidArgument(
        `There is no location ${place.location}; GET ${`/v2/projects/${place.project}/locations`} lists them.`,
      );
    await claimProject(context, params.parent);
    permitOwner(context, "cloudfunctions.functions.create", params.parent);
    const functionId =
      query.functionId ??
      (body.name ? lastPartOf(body.name) : madeUpFunctionId(lettersOf(context.ids, ID_LETTERS)));
    checkFunctionId(functionId);
    const definition = definitionOf(body);
    checkDefinition(definition);
    const name: FunctionName = { ...place, functionId };
    const origin = originOf(context.request);
    if (await findFunction(context.db, context.account, name)) {
      const error = {
        code: CODES.ALREADY_EXISTS,
        message: `Resource '${nameOfFunction(name)}' already exists`,
      };
      return operationView(
        await beginOperation(context, name, { verb: "create", stages: [], requestResource: body, error }),
        origin,
      );
    }
    if ((await countFunctions(context.db, context.account, place)) >= FUNCTIONS_MAX)
      throw errors.resourceExhausted(`A project has ${FUNCTIONS_MAX} functions in one location at the most.`);
    const nowMs = context.clock.nowMs();
    const one: CloudFunction = {
      ...name,
      slug: `${functionId}-${lettersOf(context.ids, SLUG_LETTERS)}`,
      definition: await withSource(context, definition),
      state: "DEPLOYING",
      stateMessages: [],
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      generation: 1,
      revision: undefined,
      busyWith: undefined,
      upgrade: undefined,
    };
    const begun = await beginDeploy(context, one, "create", body);
    await insertFunction(context.db, context.account, { ...one, busyWith: begun.id });
    if (one.definition.eventTrigger) await watchAsWanted(context);
    await context.catalog.put(resourceOf(context.account, one));
    return operationView(begun, origin);
  },
});

const resourceOf = (account: string, one: CloudFunction) => ({
  arn: arnOfFunction(account, one),
  type: "Vendor::Functions::Function",
  name: one.functionId,
  region: one.location,
  tags: one.definition.labels,
  nativeId: nameOfFunction(one),
});

/** Only one change of a function at a time. */
function refuseBusy({ busyWith }: ServedFunction): void {
  if (busyWith !== undefined) throw errors.aborted("unable to queue the operation");
}

const updateFunction = operation({
  id: "functions.patch",
  summary: "Changes what is given of a function, and deploys it anew",
  method: "PATCH",
  path: "/v2/{name}",
  segments: { name: [FUNCTION_FORM] },
  permission: "cloudfunctions.functions.update",
  params: Type.Object({ name: wire.name("The function.", FUNCTION) }),
  query: Type.Object({
    updateMask: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "The members to change, in either spelling; all that are given when left out.",
        examples: ["serviceConfig.availableMemory,labels"],
      }),
    ),
  }),
  body: wire.FunctionBody,
  answers: { 200: wire.OperationView },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound, errors.aborted],
  examples: { body: { serviceConfig: { availableMemory: "512M" } } },
  resource: named,
  async handle({ params, query, body }, context) {
    const before = await getFunction(context, params.name, "cloudfunctions.functions.update");
    const mask = readMask(query.updateMask);
    refuseBusy(before);
    const { name: _name, ...given } = body;
    const definition = definitionOf(applyMask(before.definition, given, mask) as Record<string, unknown>);
    checkDefinition(definition);
    const one: CloudFunction = {
      ...before,
      definition: await withSource(context, definition),
      state: "DEPLOYING",
      stateMessages: [],
      generation: before.generation + 1,
      updatedAtMs: context.clock.nowMs(),
    };
    const begun = await beginDeploy(context, one, "update", body);
    await saveFunction(context.db, context.account, { ...one, busyWith: begun.id });
    if (before.definition.eventTrigger || one.definition.eventTrigger) await watchAsWanted(context);
    await context.catalog.put(resourceOf(context.account, one), { isNew: false });
    return operationView(begun, originOf(context.request));
  },
});

const deleteFunction = operation({
  id: "functions.delete",
  summary: "Deletes a function, and takes it out of its trigger",
  method: "DELETE",
  path: "/v2/{name}",
  segments: { name: [FUNCTION_FORM] },
  permission: "cloudfunctions.functions.delete",
  params: Type.Object({ name: wire.name("The function.", FUNCTION) }),
  answers: { 200: wire.OperationView },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound, errors.aborted],
  resource: named,
  async handle({ params }, context) {
    const one = await getFunction(context, params.name, "cloudfunctions.functions.delete");
    refuseBusy(one);
    const begun = await beginOperation(context, one, {
      verb: "delete",
      stages: ["TRIGGER", "SERVICE"],
      requestResource: null,
    });
    await saveFunction(context.db, context.account, { ...one, state: "DELETING", busyWith: begun.id });
    const { project, location, functionId } = one;
    await context.enqueue(remove, { operation: begun.id, project, location, functionId });
    context.afterCommit(() => context.state.running.forgetServed(one.slug));
    return operationView(begun, originOf(context.request));
  },
});

const getFunctionOrOperation = operation({
  id: "functions.get",
  summary: "A function, or how far an operation has come",
  method: "GET",
  path: "/v2/{name}",
  segments: { name: [FUNCTION_FORM, OPERATION_FORM] },
  permission: "cloudfunctions.functions.get",
  params: Type.Object({ name: wire.name("The function or operation.", FUNCTION) }),
  answers: { 200: Type.Union([wire.FunctionView, wire.OperationView]) },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource: named,
  async handle({ params: { name } }, context) {
    const origin = originOf(context.request);
    const place = placeOf(name);
    if (!name.startsWith(`projects/${place.project}/locations/${place.location}/operations/`))
      return functionView(await getFunction(context, name, "cloudfunctions.functions.get"), origin);
    await claimProject(context, name);
    const found = await findOperation(context.db, context.account, lastPartOf(name));
    if (found?.project !== place.project || found.location !== place.location)
      throw errors.notFound(`Operation '${name}' was not found`);
    return operationView(found, origin);
  },
});

const listFunctionsOperation = operation({
  id: "functions.list",
  summary: "Functions of a place, filtered and in order",
  method: "GET",
  path: "/v2/{parent}/functions",
  segments: { parent: [LOCATION_FORM] },
  permission: "cloudfunctions.functions.list",
  params: Type.Object({ parent: wire.name("The place; a dash stands for all locations.", LOCATION) }),
  query: Type.Object({
    filter: wire.Filter,
    orderBy: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "Fields, each with desc or not.",
        examples: ["updateTime desc"],
      }),
    ),
    pageSize: wire.PageSize,
    pageToken: wire.PageToken,
  }),
  answers: {
    200: Type.Object({
      functions: Type.Array(wire.FunctionView, { description: "The functions of this page." }),
      nextPageToken: wire.NextPageToken,
      unreachable: Type.Array(Type.String(), { description: "Locations that did not answer: none here." }),
    }),
  },
  errors: [errors.invalidArgument, errors.permissionDenied],
  resource: parented,
  async handle({ params, query }, context) {
    const place = placeOf(params.parent);
    const { filter, orderBy, pageSize = 0, pageToken } = query;
    await claimProject(context, params.parent);
    permitOwner(context, "cloudfunctions.functions.list", params.parent);
    const wanted = readFilter(filter);
    const order = readOrder(orderBy);
    const origin = originOf(context.request);
    const size = pageSize === 0 ? PAGE_MAX : Math.min(pageSize, PAGE_MAX);
    const views = (await listFunctions(context.db, context.account, place)).map((one) =>
      functionView(one, origin),
    );
    const sorted = views.filter((view) => wanted?.(view) ?? true).sort(order);
    const { rows, nextToken } = await context.pages.of(
      {
        size,
        token: pageToken,
        filter: { parent: params.parent, filter, orderBy },
        invalid: errors.invalidArgument,
      },
      (view: (typeof sorted)[number]) => [JSON.stringify(view)],
      async (after, limit) => {
        const last = after?.[0] === undefined ? undefined : JSON.parse(String(after[0]));
        return sorted.filter((view) => last === undefined || order(view, last) > 0).slice(0, limit);
      },
    );
    return {
      functions: [...rows],
      ...(nextToken !== undefined && { nextPageToken: nextToken }),
      unreachable: [],
    };
  },
});

export const functionOperations = [
  createFunction,
  updateFunction,
  deleteFunction,
  getFunctionOrOperation,
  listFunctionsOperation,
];
