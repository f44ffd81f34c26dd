/** Operations that analyse detector models before their creation. */
import { Type } from "@sinclair/typebox";
import { errors } from "../errors.ts";
import { analyse } from "../jobs/index.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const RUNNING_MAX = 10;
const params = Type.Object({
  analysisId: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "The analysis, as its start was answered.",
    examples: ["3e2a6b1c-7b1e-4b1e-9b1e-2f1d6a6d6c11"],
  }),
});
const AnalysisResult = Type.Object({
  type: Type.String(),
  level: Type.String(),
  message: Type.String(),
  locations: Type.Array(Type.Object({ path: Type.String() })),
});

const startAnalysis = operation({
  id: "events.StartDetectorModelAnalysis",
  summary: "Starts an analysis of a detector model definition",
  description: `Creates no model. A job looks for errors and warnings; poll \`events.DescribeDetectorModelAnalysis\`. At most ${RUNNING_MAX} analyses run at a time in a region.`,
  method: "POST",
  path: "/analysis/detector-models",
  permission: "iotevents:StartDetectorModelAnalysis",
  bodyBytesMax: 1024 * 1024,
  body: Type.Object({ detectorModelDefinition: wire.DetectorModelDefinition }),
  answers: { 200: Type.Object({ analysisId: Type.String() }) },
  errors: [errors.invalidRequest, errors.limitExceeded],
  async handle({ body }, context) {
    const { db, account, clock, ids } = context;
    const { region } = context.request;
    if ((await store.countRunning(db, account, region)) >= RUNNING_MAX)
      throw errors.limitExceeded(`${RUNNING_MAX} analyses are under way: try again when one has ended.`);
    const id = ids.uuid();
    await store.insertAnalysis(db, {
      account,
      region,
      id,
      status: "RUNNING",
      definition: JSON.stringify(body.detectorModelDefinition),
      results: "[]",
      created_at: clock.nowMs(),
    });
    await context.enqueue(analyse, { region, id });
    return { analysisId: id };
  },
});

const describeAnalysis = operation({
  id: "events.DescribeDetectorModelAnalysis",
  summary: "Returns the status of an analysis",
  description: "RUNNING, then COMPLETE or FAILED. Analyses are deleted after 24 hours.",
  method: "GET",
  path: "/analysis/detector-models/{analysisId}",
  permission: "iotevents:DescribeDetectorModelAnalysis",
  params,
  answers: { 200: Type.Object({ status: Type.String() }) },
  errors: [errors.notFound],
  async handle({ params: { analysisId } }, { db, account, request }) {
    const { status } = await store.getAnalysis(db, account, request.region, analysisId);
    return { status };
  },
});

type Numbered = { readonly number: number; readonly result: (typeof AnalysisResult)["static"] };
const getAnalysisResults = operation({
  id: "events.GetDetectorModelAnalysisResults",
  summary: "Returns the findings of an analysis",
  description: "Empty while it is running, or if nothing was found. Deleted after 24 hours.",
  method: "GET",
  path: "/analysis/detector-models/{analysisId}/results",
  permission: "iotevents:GetDetectorModelAnalysisResults",
  params,
  query: Type.Object(wire.page),
  answers: {
    200: Type.Object({
      analysisResults: Type.Array(AnalysisResult),
      nextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidRequest, errors.notFound],
  async handle({ params: { analysisId }, query }, { db, account, request, pages }) {
    const { results } = await store.getAnalysis(db, account, request.region, analysisId);
    const all: Numbered[] = JSON.parse(results).map((result: Numbered["result"], number: number) => ({
      number,
      result,
    }));
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { analysisId }),
      (row: Numbered) => [String(row.number)],
      async (after, limit) => all.filter(({ number }) => number > Number(after?.[0] ?? -1)).slice(0, limit),
    );
    return {
      analysisResults: rows.map(({ result }) => result),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

export const analysisOperations = [startAnalysis, describeAnalysis, getAnalysisResults];
