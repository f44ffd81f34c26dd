/** Log lines of functions, read once or followed, and the secrets that functions get. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { media, secret } from "#kernel/operation";
import { FUNCTION_FORM, PROJECT_FORM, projectOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { addSecretVersion, countSecretVersions, type LogLine, listLines } from "../store/index.ts";
import * as wire from "../wire.ts";
import { claimProject, getFunction, named, operation, permitOwner } from "./operation.ts";

const LINES_MAX = 1000;
const SECRETS_MAX = 1000;
const FUNCTION = "projects/demo/locations/us-central1/functions/hello";

const Line = Type.Object({
  id: Type.String({ description: "Grows from line to line." }),
  timestamp: Type.String({ format: "date-time", description: "When it was written." }),
  severity: Type.String({ description: "How much it matters." }),
  text: Type.String({ description: "What was written." }),
  revision: Type.String({ description: "The revision that wrote it." }),
});
const lineView = ({ id, atMs, severity, text, revision }: LogLine) => ({
  id,
  timestamp: isoOf(atMs),
  severity,
  text,
  revision,
});

const listLog = operation({
  id: "functions.logs.list",
  summary: "Lists recent log lines of a function",
  description:
    "Oldest first. The last 5000 lines of a function are kept. Without `after`, the newest lines are returned; with it, the lines that follow.",
  method: "GET",
  path: "/v2/{name}/logs",
  segments: { name: [FUNCTION_FORM] },
  permission: "cloudfunctions.functions.get",
  tags: ["additional"],
  transaction: "manual",
  params: Type.Object({ name: wire.name("The function.", FUNCTION) }),
  query: Type.Object({
    limit: Type.Integer({
      minimum: 1,
      maximum: LINES_MAX,
      default: 100,
      description: "How many lines.",
      examples: [100],
    }),
    after: Type.Optional(
      Type.String({ maxLength: 64, description: "Only lines after this one.", examples: ["1m7fqc768"] }),
    ),
  }),
  answers: { 200: Type.Object({ lines: Type.Array(Line, { description: "Oldest first." }) }) },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource: named,
  async handle({ params, query }, context) {
    const one = await getFunction(context, params.name, "cloudfunctions.functions.get");
    await context.state.running.logs.flush();
    const lines = await listLines(context.db, context.account, one.slug, {
      after: query.after,
      limit: query.limit,
    });
    return { lines: lines.map(lineView) };
  },
});

/** As server-sent events. */
async function* eventsOf(lines: AsyncIterable<LogLine | undefined>): AsyncGenerator<string> {
  yield ": listening\n\n";
  for await (const line of lines)
    yield line ? `data: ${JSON.stringify(lineView(line))}\n\n` : ": still here\n\n";
}
const followLog = operation({
  id: "functions.logs.follow",
  summary: "Streams the log lines of a function as server-sent events",
  description:
    "Sends only lines that processes on this node write from now on, and a comment every 15 seconds. A function may have 50 listeners on a node. Read earlier lines with `functions.logs.list`.",
  method: "GET",
  path: "/v2/{name}/logs:follow",
  segments: { name: [FUNCTION_FORM] },
  permission: "cloudfunctions.functions.get",
  tags: ["additional"],
  params: Type.Object({ name: wire.name("The function.", FUNCTION) }),
  answers: { 200: media("text/event-stream") },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound, errors.resourceExhausted],
  resource: named,
  async handle({ params }, context) {
    const one = await getFunction(context, params.name, "cloudfunctions.functions.get");
    const lines = context.state.running.logs.follow(one.slug);
    if (!lines) throw errors.resourceExhausted("Too many follow what this function writes.");
    return eventsOf(lines);
  },
});

const addSecret = operation({
  id: "functions.secrets.add",
  summary: "Adds a version of a secret for functions",
  description: `The value is stored encrypted and never returned. An account may have ${SECRETS_MAX} versions. Running functions keep the value that they started with; deploy again to use the new version.`,
  method: "POST",
  path: "/v1/{name}/secrets/{secret}:addVersion",
  segments: { name: [PROJECT_FORM], secret: ["{}"] },
  permission: "cloudfunctions.functions.update",
  tags: ["additional"],
  params: Type.Object({
    name: wire.name("The project.", "projects/demo"),
    secret: Type.String({ minLength: 1, maxLength: 255, description: "The secret.", examples: ["api-key"] }),
  }),
  body: Type.Object({
    payload: Type.Object(
      {
        data: secret(
          Type.String({ maxLength: 131_072, description: "The value in Base64.", examples: ["aGVsbG8="] }),
        ),
      },
      { description: "The secret's value.", examples: [{ data: "aGVsbG8=" }] },
    ),
  }),
  answers: { 200: Type.Object({ name: Type.String({ description: "The name of the new version." }) }) },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.resourceExhausted],
  async handle({ params, body }, context) {
    const project = projectOf(params.name);
    await claimProject(context, params.name);
    permitOwner(context, "cloudfunctions.functions.update", params.name);
    const { db, account, secrets, clock } = context;
    if ((await countSecretVersions(db, account)) >= SECRETS_MAX)
      throw errors.resourceExhausted(`An account has ${SECRETS_MAX} versions of secrets at the most.`);
    const sealed = secrets.seal(Buffer.from(body.payload.data, "base64").toString("utf8"));
    const version = await addSecretVersion(
      db,
      account,
      { project, secret: params.secret },
      sealed,
      clock.nowMs(),
    );
    return { name: `projects/${project}/secrets/${params.secret}/versions/${version}` };
  },
});

export const logOperations = [listLog, followLog, addSecret];
