/** Operations that read, list, update and delete detectors. */
import { Type } from "@sinclair/typebox";
import { type DetectorState, describeVariables, ModelFault, newDetectorState } from "../domain/index.ts";
import { errors } from "../errors.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { EntryErrors, requireForAll } from "./entries.ts";
import { changeEach, getInstance, missing, placeOf } from "./instances.ts";
import { namedModel, ofDetectorModel, operation, pageRequestOf } from "./operation.ts";

const arnOf = namedModel("detector");
type Batch = { body: { detectors: readonly { detectorModelName: string }[] } };
const batchResource = ({ body }: Batch, account: string, region: string) =>
  arnOf(body.detectors[0]?.detectorModelName ?? "*", account, region);

const headOf = (
  row: { key: string; version: number; created_at: number; updated_at: number },
  name: string,
) => ({
  detectorModelName: name,
  ...(row.key !== "" && { keyValue: row.key }),
  detectorModelVersion: String(row.version),
  creationTime: wire.timeOf(row.created_at),
  lastUpdateTime: wire.timeOf(row.updated_at),
});

const describeDetector = operation({
  id: "events.DescribeDetector",
  summary: "Returns a detector with its state, variables and timers",
  description:
    "A detector exists from its first message. The state follows messages shortly after they were accepted.",
  method: "GET",
  path: "/detectors/{detectorModelName}/keyValues/",
  permission: "iotevents:DescribeDetector",
  ...ofDetectorModel,
  query: Type.Object({ keyValue: Type.Optional(wire.KeyValue) }),
  answers: { 200: Type.Object({ detector: wire.Detector }) },
  errors: [errors.notFound],
  async handle({ params: { detectorModelName: name }, query }, context) {
    const { instance } = await getInstance(context, "detector", name, query.keyValue ?? "");
    const state = JSON.parse(instance.state) as DetectorState;
    return {
      detector: {
        ...headOf(instance, name),
        state: {
          stateName: state.stateName,
          variables: describeVariables(state),
          timers: Object.entries(state.timers).map(([timer, { dueAtMs }]) => ({
            name: timer,
            timestamp: wire.timeOf(dueAtMs),
          })),
        },
      },
    };
  },
});

type Listed = { key: string; version: number; state_name: string; created_at: number; updated_at: number };
const listDetectors = operation({
  id: "events.ListDetectors",
  summary: "Lists the detectors of a model by key",
  description: "Detectors of the active version only.",
  method: "GET",
  path: "/detectors/{detectorModelName}",
  permission: "iotevents:ListDetectors",
  ...ofDetectorModel,
  query: Type.Object({ stateName: Type.Optional(wire.StateName), ...wire.page }),
  answers: { 200: wire.pageOf({ detectorSummaries: Type.Array(wire.DetectorSummary) }) },
  errors: [errors.invalidRequest, errors.notFound],
  async handle({ params: { detectorModelName: name }, query }, context) {
    const { db, account, request, pages } = context;
    const { stateName } = query;
    const model = await store.getModel(db, account, request.region, "detector", name);
    const place = placeOf(model);
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { ...place, stateName }),
      (row: Listed) => [row.key],
      async (after, limit) =>
        place ? store.listInstances(db, place, { stateName, after: after?.[0], limit }) : [],
    );
    return {
      detectorSummaries: rows.map((row) => ({
        ...headOf(row, name),
        state: { stateName: row.state_name },
      })),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

const updateDetectors = operation({
  id: "events.BatchUpdateDetector",
  summary: "Sets the state, variables and timers of detectors",
  description:
    "Variables and timers that are not given are deleted. No events or actions run; the detector waits for its next message. Only existing detectors can be changed; failures are listed for each entry.",
  method: "POST",
  path: "/detectors",
  permission: "iotevents:BatchUpdateDetector",
  body: Type.Object({ detectors: wire.DetectorUpdates }),
  answers: { 200: Type.Object({ batchUpdateDetectorErrorEntries: wire.MessageErrors }) },
  errors: [errors.invalidRequest],
  resource: batchResource,
  async handle({ body: { detectors } }, context) {
    const { account, request } = context;
    await requireForAll(
      context,
      "iotevents:BatchUpdateDetector",
      detectors.map(({ detectorModelName }) => arnOf(detectorModelName, account, request.region)),
    );
    const refused = new EntryErrors("messageId");
    const entries = detectors.map(({ messageId, detectorModelName, keyValue, state }) => ({
      id: messageId,
      model: detectorModelName,
      key: keyValue ?? "",
      state,
    }));
    const nowMs = context.clock.nowMs();
    await changeEach(context, "detector", entries, refused, (run, model, { id, key, state }) => {
      try {
        return run.replace(model.id, key, (compiled) => newDetectorState(compiled, state, nowMs));
      } catch (fault) {
        if (!(fault instanceof ModelFault)) throw fault;
        refused.add(id, errors.invalidRequest, `${fault.place}: ${fault.message}`);
        return true;
      }
    });
    return { batchUpdateDetectorErrorEntries: refused.entries };
  },
});

const deleteDetectors = operation({
  id: "events.BatchDeleteDetector",
  summary: "Deletes detectors",
  description:
    "Their timers no longer fire. The next message with the same key creates a new detector in the initial state. Failures are listed for each entry.",
  method: "POST",
  path: "/detectors/delete",
  permission: "iotevents:BatchDeleteDetector",
  body: Type.Object({ detectors: wire.DetectorDeletions }),
  answers: { 200: Type.Object({ batchDeleteDetectorErrorEntries: wire.MessageErrors }) },
  errors: [errors.invalidRequest],
  resource: batchResource,
  async handle({ body: { detectors } }, context) {
    const { db, account, request } = context;
    await requireForAll(
      context,
      "iotevents:BatchDeleteDetector",
      detectors.map(({ detectorModelName }) => arnOf(detectorModelName, account, request.region)),
    );
    const refused = new EntryErrors("messageId");
    for (const { messageId, detectorModelName: name, keyValue: key = "" } of detectors) {
      if (!refused.isNew(messageId)) continue;
      const model = await store.findModel(db, account, request.region, "detector", name);
      const place = model && placeOf(model);
      if (!model) refused.add(messageId, errors.notFound, `There is no detector model ${name}.`);
      else if (!place || !(await store.deleteInstance(db, place, key)))
        refused.add(messageId, errors.notFound, missing("detector", name, key));
    }
    return { batchDeleteDetectorErrorEntries: refused.entries };
  },
});

export const detectorOperations = [describeDetector, listDetectors, updateDetectors, deleteDetectors];
