/** Figures about the processes of a function, and the page that shows them and can call the function. */
import { Type } from "@sinclair/typebox";
import { pageFrom } from "#kernel/html";
import { FUNCTION_FORM } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { Latencies } from "../running/latencies.ts";
import { renderTryPage } from "../try/page.ts";
import * as wire from "../wire.ts";
import { getFunction, named, operation } from "./operation.ts";

export const TRY_PATH = "/try";

const number = (description: string, example: number) => Type.Number({ description, examples: [example] });
const Figures = Type.Object({
  instances: number("Processes that run on this node, or are coming up.", 2),
  busy: number("Requests that they are working on.", 1),
  waiting: number("Requests that wait for a process.", 0),
  requests: number("Requests to its revisions since the first of each on this node.", 120),
  requestsPerSecond: number("Of the last ten seconds.", 4.5),
  errors: number("Requests that failed.", 1),
  medianMs: Type.Optional(number("Half of the last requests took no longer, in milliseconds.", 1.2)),
  slowMs: Type.Optional(number("Of a hundred requests, 95 took no longer, in milliseconds.", 8.1)),
});

const tellFigures = operation({
  id: "functions.figures",
  summary: "Returns the load of a function's processes on this node",
  description:
    "Counts start when the node first runs a revision, and are lost at a restart. Other nodes have counts of their own.",
  method: "GET",
  path: "/v2/{name}/figures",
  segments: { name: [FUNCTION_FORM] },
  permission: "cloudfunctions.functions.get",
  tags: ["additional"],
  transaction: "manual",
  params: Type.Object({
    name: wire.name("The function.", "projects/demo/locations/us-central1/functions/hello"),
  }),
  answers: { 200: Figures },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource: named,
  async handle({ params }, context) {
    const { slug } = await getFunction(context, params.name, "cloudfunctions.functions.get");
    const pools = context.state.running.poolsOf(slug);
    const sumOf = (figure: (pool: (typeof pools)[number]) => number): number =>
      pools.reduce((sum, pool) => sum + figure(pool), 0);
    const latencies = pools.map((pool) => pool.latencies);
    return {
      instances: sumOf(({ size }) => size),
      busy: sumOf(({ busy }) => busy),
      waiting: sumOf(({ waiting }) => waiting),
      requests: sumOf(({ counts }) => counts.requests),
      requestsPerSecond: sumOf(({ requestsPerSecond }) => requestsPerSecond),
      errors: sumOf(({ counts }) => counts.errors),
      medianMs: Latencies.percentile(latencies, 50),
      slowMs: Latencies.percentile(latencies, 95),
    };
  },
});

const showTryPage = operation({
  id: "functions.try",
  summary: "Shows a page for calling functions",
  description:
    "The page shows the response, the load and the log lines of a function. Its calls use the credential that is entered on the page.",
  ...pageFrom(renderTryPage),
  path: TRY_PATH,
  tags: ["additional"],
});
export const figureOperations = [tellFigures, showTryPage];
