/** Extension of the public API: delivers actions for a destination to a web endpoint. */
import { Type } from "@sinclair/typebox";
import { parseArn } from "#kernel/arn";
import { errors } from "../errors.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation } from "./operation.ts";

const ENDPOINTS_MAX = 200;
const SECRET_LENGTH = 40;
const Arn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The ARN of the topic, queue, function, stream, table or property.",
  examples: ["arn:vendor:sns:us-east-1:123456789012:alarms"],
});
const Url = Type.String({
  maxLength: 2048,
  description: "The web address.",
  examples: ["https://example.org/events"],
});

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw errors.invalidRequest("url is not an http or https address.");
  if (url.username !== "" || url.password !== "")
    throw errors.invalidRequest("url must not hold a user name or password.");
  return url.href;
}

const putEndpoint = operation({
  id: "events.PutEndpoint",
  summary: "Delivers the actions for a destination to a URL as well",
  description: `A job posts each action, with up to 6 attempts. The header \`webhook-signature\` is \`v1,\` and the base64 of the HMAC-SHA256 of \`webhook-id\`, \`webhook-timestamp\` and the body, joined by dots. Each call creates a new secret, which is returned once; the earlier one is replaced. An account may have ${ENDPOINTS_MAX} endpoints.`,
  method: "PUT",
  path: "/endpoints",
  permission: "iotevents:PutEndpoint",
  body: Type.Object({ arn: Arn, url: Url }),
  answers: { 200: Type.Object({ arn: Type.String(), url: Type.String(), secret: Type.String() }) },
  errors: [errors.invalidRequest, errors.limitExceeded],
  resource: ({ body }) => body.arn,
  async handle({ body }, { db, account, ids, clock, secrets }) {
    if (!parseArn(body.arn)) throw errors.invalidRequest(`arn is no ARN: ${body.arn}`);
    const url = checkUrl(body.url);
    const known = await store.listEndpoints(db, account, ENDPOINTS_MAX);
    if (known.length >= ENDPOINTS_MAX && !known.some(({ arn }) => arn === body.arn))
      throw errors.limitExceeded(`An account can have ${ENDPOINTS_MAX} endpoints.`);
    const secret = ids.secret(SECRET_LENGTH);
    await store.putEndpoint(db, {
      account,
      arn: body.arn,
      url,
      secret: secrets.seal(secret),
      created_at: clock.nowMs(),
    });
    return { arn: body.arn, url, secret };
  },
});

const listEndpoints = operation({
  id: "events.ListEndpoints",
  summary: "Lists the URLs that destinations are delivered to",
  description: "All on one page, without the secrets.",
  method: "GET",
  path: "/endpoints",
  permission: "iotevents:ListEndpoints",
  answers: {
    200: Type.Object({
      endpoints: Type.Array(Type.Object({ arn: Type.String(), url: Type.String() })),
    }),
  },
  async handle(_input, { db, account }) {
    const rows = await store.listEndpoints(db, account, ENDPOINTS_MAX);
    return { endpoints: rows.map(({ arn, url }) => ({ arn, url })) };
  },
});

const deleteEndpoint = operation({
  id: "events.DeleteEndpoint",
  summary: "Stops the delivery of a destination to a URL",
  description:
    "Actions stay visible in the outbox. Deliveries that were queued before may still be attempted.",
  method: "DELETE",
  path: "/endpoints",
  permission: "iotevents:DeleteEndpoint",
  query: Type.Object({ arn: Arn }),
  answers: { 200: wire.Nothing },
  errors: [errors.notFound],
  resource: ({ query }) => query.arn,
  async handle({ query }, { db, account }) {
    if (!(await store.deleteEndpoint(db, account, query.arn)))
      throw errors.notFound(`There is no endpoint for ${query.arn}.`);
    return {};
  },
});

export const endpointOperations = [putEndpoint, listEndpoints, deleteEndpoint];
