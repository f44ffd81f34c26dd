/** Functions: made, read, changed, listed and deleted. */
import { Type } from "@sinclair/typebox";
import {
  applyMask,
  checkDefinition,
  checkFunctionId,
  checkSaidName,
  definitionOf,
  FUNCTION_FORM,
  FUNCTIONS_MAX,
  type FunctionName,
  functionNameOf,
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
import { beginCreate, beginOperation, beginRemove, beginUpdate, CODES, lettersOf } from "../jobs/index.ts";
import { countFunctions, findFunction, findOperation, listFunctions } from "../store/index.ts";
import * as wire from "../wire.ts";
import {
  claimProject,
  getFunction,
  named,
  operation,
  parented,
  permitOperation,
  permitOwner,
  refuseBusy,
} from "./operation.ts";
import { functionView, operationView, originOf } from "./views.ts";

const PAGE_MAX = 1000;
const FUNCTION = "projects/demo/locations/us-central1/functions/hello";
const LOCATION = "projects/demo/locations/us-central1";
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
const createFunction = operation({
  id: "functions.create",
  summary: "Creates a function from an uploaded archive",
  description: `Returns an operation; a job then builds the archive, starts a process and sets the trigger. Poll \`functions.get\` with the operation's name until \`done\`. A location may have ${FUNCTIONS_MAX} functions of a project. A name that exists gives an operation with the error ALREADY_EXISTS. Upload the archive first with \`functions.generateUploadUrl\`.`,
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
    const name: FunctionName = { ...place, functionId };
    checkSaidName(body.name, name);
    const definition = definitionOf(body);
    checkDefinition(definition);
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
    const { begun } = await beginCreate(context, name, definition, body);
    return operationView(begun, origin);
  },
});

const updateFunction = operation({
  id: "functions.patch",
  summary: "Changes a function and deploys a new revision",
  description:
    "Changes the members that the mask names, then builds and starts a new revision in a job. Requests go to the earlier revision until the new one is ready, and stay there if the deployment fails. Refused with ABORTED while another operation on the function is running.",
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
    const { name, ...given } = body;
    checkSaidName(name, functionNameOf(params.name));
    const definition = definitionOf(applyMask(before.definition, given, mask) as Record<string, unknown>);
    checkDefinition(definition);
    return operationView(await beginUpdate(context, before, definition, body), originOf(context.request));
  },
});

const deleteFunction = operation({
  id: "functions.delete",
  summary: "Deletes a function with its revisions, archive and logs",
  description:
    "The function stops serving requests immediately; a job deletes the rest and ends its processes. Events that wait for it are dropped. Refused with ABORTED while another operation on the function is running.",
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
    return operationView(await beginRemove(context, one), originOf(context.request));
  },
});

const getFunctionOrOperation = operation({
  id: "functions.get",
  summary: "Returns a function or a long-running operation",
  description:
    "An operation has `done`, and then `response` or `error`; its stages show the progress of a deployment. Operations are deleted after 30 days. A project belongs to the account that used it first; other accounts get PERMISSION_DENIED.",
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
    await permitOperation(context, found);
    return operationView(found, origin);
  },
});

const FIELDS = Object.keys(wire.FunctionView.properties);

const listFunctionsOperation = operation({
  id: "functions.list",
  summary: "Lists the functions of a location",
  description: `The location \`-\` means all locations. Pages have at most ${PAGE_MAX} functions, which is also the default. Only credentials of the account may list; signed-in people get PERMISSION_DENIED.`,
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
    const wanted = readFilter(filter, FIELDS);
    const { keyOf, compare } = readOrder(orderBy, FIELDS);
    const origin = originOf(context.request);
    const size = pageSize === 0 ? PAGE_MAX : Math.min(pageSize, PAGE_MAX);
    const views = (await listFunctions(context.db, context.account, place)).map((one) =>
      functionView(one, origin),
    );
    const sorted = views
      .filter((view) => wanted?.(view) ?? true)
      .sort((left, right) => compare(keyOf(left), keyOf(right)));
    const { rows, nextToken } = await context.pages.of(
      {
        size,
        token: pageToken,
        filter: { parent: params.parent, filter, orderBy },
        invalid: errors.invalidArgument,
      },
      keyOf,
      async (after, limit) =>
        sorted.filter((view) => after === undefined || compare(keyOf(view), after) > 0).slice(0, limit),
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
