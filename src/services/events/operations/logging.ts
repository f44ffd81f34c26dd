/** Operations for the logging options. */
import { Type } from "@sinclair/typebox";
import { checkRole } from "../actions/checks.ts";
import { errors } from "../errors.ts";
import { loggingOf, type LoggingOptions as Options } from "../jobs/index.ts";
import { putLogging } from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation } from "./operation.ts";

const DEBUGGED_MAX = 500;
const LoggingOptions = Type.Object(
  {
    roleArn: wire.RoleArn,
    level: Type.Union([Type.Literal("ERROR"), Type.Literal("INFO"), Type.Literal("DEBUG")], {
      description: "From which level on entries are told.",
    }),
    enabled: Type.Boolean({ description: "Whether entries are told." }),
    detectorDebugOptions: Type.Optional(
      Type.Array(
        Type.Object({
          detectorModelName: wire.DetectorModelName,
          keyValue: Type.Optional(wire.KeyValue),
        }),
        {
          minItems: 1,
          maxItems: DEBUGGED_MAX,
          description: "The detectors that are told of in full; all where none is named.",
        },
      ),
    ),
  },
  {
    description: "Whether entries are told, from which level on, and which detectors are told of in full.",
    examples: [{ roleArn: "arn:vendor:iam::123456789012:role/events", level: "ERROR", enabled: true }],
  },
);

const describeLogging = operation({
  id: "events.DescribeLoggingOptions",
  summary: "Returns the logging options of the account in this region",
  description: "404 until they have been set once.",
  method: "GET",
  path: "/logging",
  permission: "iotevents:DescribeLoggingOptions",
  answers: { 200: Type.Object({ loggingOptions: LoggingOptions }) },
  errors: [errors.notFound],
  async handle(_input, context) {
    const logging = await loggingOf(context, context.request.region);
    if (!logging) throw errors.notFound("Logging options were never set in this account and region.");
    return { loggingOptions: logging.options as (typeof LoggingOptions)["static"] };
  },
});

const putLoggingOptions = operation({
  id: "events.PutLoggingOptions",
  summary: "Sets the logging options of the account in this region",
  description:
    "Replaces all options; later evaluations use them. The role must belong to the account. Log entries go to the outbox.",
  method: "PUT",
  path: "/logging",
  permission: "iotevents:PutLoggingOptions",
  body: Type.Object({ loggingOptions: LoggingOptions }),
  answers: { 200: wire.Nothing },
  errors: [errors.invalidRequest],
  async handle({ body: { loggingOptions } }, { db, account, request }) {
    checkRole(loggingOptions.roleArn, account);
    const options: Options = loggingOptions;
    await putLogging(db, account, request.region, JSON.stringify({ options, spelling: request.dialect }));
    return {};
  },
});

export const loggingOperations = [describeLogging, putLoggingOptions];
