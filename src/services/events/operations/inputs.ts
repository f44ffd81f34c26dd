/** Operations for inputs. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import { addInput, changeInput, removeInput } from "../actions/inputs.ts";
import { inputArnOf, modelArnOf } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import * as store from "../store/index.ts";
import type { InputRow, RouteRow } from "../tables.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const params = Type.Object({ inputName: wire.InputName });
const resource = (
  { params: { inputName } }: { params: { inputName: string } },
  account: string,
  region: string,
) => inputArnOf(account, region, inputName);
const createInput = operation({
  id: "events.CreateInput",
  summary: "Creates an input",
  description:
    "Starts as CREATING and becomes ACTIVE by a job. An account may have 1000 inputs in a region. Next, create a model that reads it and send messages with `events.BatchPutMessage`.",
  method: "POST",
  path: "/inputs",
  permission: "iotevents:CreateInput",
  body: Type.Object({
    inputName: wire.InputName,
    inputDescription: Type.Optional(wire.Description),
    inputDefinition: wire.InputDefinition,
    tags: Type.Optional(wire.Tags),
  }),
  answers: { 201: Type.Object({ inputConfiguration: wire.InputConfiguration }) },
  errors: [errors.invalidRequest, errors.alreadyExists, errors.limitExceeded],
  resource: ({ body }, account, region) => inputArnOf(account, region, body.inputName),
  async handle({ body }, context) {
    const row = await addInput(context, context.request.region, body);
    return answer(201, { inputConfiguration: wire.inputConfigurationOf(row) });
  },
});

const describeInput = operation({
  id: "events.DescribeInput",
  summary: "Returns an input with its attributes",
  description: "`status` is CREATING, UPDATING, ACTIVE or DELETING.",
  method: "GET",
  path: "/inputs/{inputName}",
  permission: "iotevents:DescribeInput",
  params,
  answers: { 200: Type.Object({ input: wire.Input }) },
  errors: [errors.notFound],
  resource,
  async handle({ params: { inputName } }, { db, account, request }) {
    return { input: wire.inputOf(await store.getInput(db, account, request.region, inputName)) };
  },
});

const updateInput = operation({
  id: "events.UpdateInput",
  summary: "Replaces the description and attributes of an input",
  description:
    "A job pauses models that need an attribute that is gone; detector models become PAUSED and alarm models INACTIVE.",
  method: "PUT",
  path: "/inputs/{inputName}",
  permission: "iotevents:UpdateInput",
  params,
  body: Type.Object({
    inputDescription: Type.Optional(wire.Description),
    inputDefinition: wire.InputDefinition,
  }),
  answers: { 200: Type.Object({ inputConfiguration: wire.InputConfiguration }) },
  errors: [errors.invalidRequest, errors.notFound, errors.inUse],
  resource,
  async handle({ params: { inputName }, body }, context) {
    const row = await changeInput(context, context.request.region, { inputName, ...body });
    return { inputConfiguration: wire.inputConfigurationOf(row) };
  },
});

const deleteInput = operation({
  id: "events.DeleteInput",
  summary: "Deletes an input",
  description: "Refused while a model reads it. It is DELETING until a job has removed it.",
  method: "DELETE",
  path: "/inputs/{inputName}",
  permission: "iotevents:DeleteInput",
  params,
  answers: { 200: wire.Nothing },
  errors: [errors.notFound, errors.inUse],
  resource,
  async handle({ params: { inputName } }, context) {
    await removeInput(context, context.request.region, inputName);
    return {};
  },
});

const listInputs = operation({
  id: "events.ListInputs",
  summary: "Lists inputs by name",
  description: "Only inputs of the request's region, including those that are being deleted.",
  method: "GET",
  path: "/inputs",
  permission: "iotevents:ListInputs",
  query: Type.Object(wire.page),
  answers: { 200: wire.pageOf({ inputSummaries: Type.Array(wire.InputConfiguration) }) },
  errors: [errors.invalidRequest],
  async handle({ query }, { db, account, request, pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (row: InputRow) => [row.name],
      (after, limit) => store.listInputs(db, account, request.region, after?.[0] ?? "", limit),
    );
    return {
      inputSummaries: rows.map(wire.inputConfigurationOf),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

const InputIdentifier = Type.Object(
  {
    iotEventsInputIdentifier: Type.Optional(
      Type.Object({ inputName: wire.InputName }, { description: "An input of this service." }),
    ),
    iotSiteWiseInputIdentifier: Type.Optional(
      Type.Object(
        {
          iotSiteWiseAssetModelPropertyIdentifier: Type.Optional(
            Type.Object(
              {
                assetModelId: Type.String({ description: "The asset model." }),
                propertyId: Type.String({ description: "Its property." }),
              },
              { description: "The property." },
            ),
          ),
        },
        { description: "A property of an asset model." },
      ),
    ),
  },
  {
    description: "Which input: one of this service, or a property of an asset model.",
    examples: [{ iotEventsInputIdentifier: { inputName: "PressureInput" } }],
  },
);
const listInputRoutings = operation({
  id: "events.ListInputRoutings",
  summary: "Lists the models that read an input",
  description:
    "Only active versions read messages. Properties of asset models send no messages here, so their list is empty.",
  method: "POST",
  path: "/input-routings",
  permission: "iotevents:ListInputRoutings",
  transaction: "read",
  body: Type.Object({
    inputIdentifier: InputIdentifier,
    maxResults: Type.Optional(wire.MaxResults),
    nextToken: Type.Optional(wire.NextToken),
  }),
  answers: {
    200: Type.Object({
      routedResources: Type.Array(Type.Object({ name: Type.String(), arn: Type.String() })),
      nextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidRequest, errors.notFound],
  async handle({ body }, { db, account, request, pages }) {
    const { iotEventsInputIdentifier: own, iotSiteWiseInputIdentifier: property } = body.inputIdentifier;
    if ((own === undefined) === (property === undefined))
      throw errors.invalidRequest("inputIdentifier must name one input, in one of its two ways.");
    if (own === undefined) return { routedResources: [] };
    await store.getInput(db, account, request.region, own.inputName);
    const { rows, nextToken } = await pages.of(
      pageRequestOf({ maxResults: body.maxResults ?? 250, nextToken: body.nextToken }, own),
      (row: RouteRow) => [row.model_id],
      (after, limit) => store.listRoutes(db, account, request.region, own.inputName, after?.[0] ?? "", limit),
    );
    return {
      routedResources: rows.map((row) => ({
        name: row.model,
        arn: modelArnOf({ account, region: request.region, kind: row.kind, name: row.model }),
      })),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

export const inputOperations = [
  createInput,
  describeInput,
  updateInput,
  deleteInput,
  listInputs,
  listInputRoutings,
];
