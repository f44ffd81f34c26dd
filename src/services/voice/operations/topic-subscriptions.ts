/** Extension of the contract: delivers events of a topic to URLs. */
import { Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import * as store from "../store.ts";
import type { Tables } from "../tables.ts";
import { Nothing, TopicSubscription } from "../wire.ts";

const operation = operationsFor<Tables>();
const SUBSCRIPTIONS_MAX = 100;
const SECRET_LENGTH = 40;
const PATH = "/v1/sms-voice/topic-subscriptions";
const SubscriptionIdText = Type.String({
  description: "The subscription's id.",
  examples: ["sub_1m7fqc7680000eyv1bw2px5"],
});

export const topicSubscriptionOperations = [
  operation({
    id: "voice.CreateTopicSubscription",
    summary: "Delivers the events of a topic to a URL as well",
    description: `A job posts each event, with up to 6 attempts. The secret is returned once. The header \`webhook-signature\` is \`v1,\` and the base64 of the HMAC-SHA256 of \`webhook-id\`, \`webhook-timestamp\` and the body, joined by dots. An account may have ${SUBSCRIPTIONS_MAX} subscriptions in a region.`,
    method: "POST",
    path: PATH,
    permission: "sms-voice:CreateTopicSubscription",
    body: TopicSubscription,
    answers: {
      200: Type.Object({
        SubscriptionId: SubscriptionIdText,
        Secret: Type.String({
          description: "What deliveries are signed with; shown once.",
          examples: ["kX2vQ9mTz7"],
        }),
      }),
    },
    errors: [errors.badRequest, errors.limitExceeded],
    async handle({ body }, context) {
      const { db, account, ids, clock } = context;
      const { region } = context.request;
      const known = await store.listSubscriptions(db, account, region, SUBSCRIPTIONS_MAX);
      if (known.length >= SUBSCRIPTIONS_MAX)
        throw errors.limitExceeded(`There are ${SUBSCRIPTIONS_MAX} topic subscriptions already.`);
      const id = ids.next("sub");
      const secret = ids.secret(SECRET_LENGTH);
      await store.insertSubscription(db, {
        account,
        region,
        id,
        secret: context.secrets.seal(secret),
        topic_arn: body.TopicArn,
        endpoint: new URL(body.Endpoint).href,
        created_at: clock.nowMs(),
      });
      return { SubscriptionId: id, Secret: secret };
    },
  }),
  operation({
    id: "voice.ListTopicSubscriptions",
    summary: "Lists the URLs that topics are delivered to",
    description: "All on one page, without the secrets.",
    method: "GET",
    path: PATH,
    permission: "sms-voice:ListTopicSubscriptions",
    answers: {
      200: Type.Object({
        Subscriptions: Type.Array(
          Type.Object({
            SubscriptionId: SubscriptionIdText,
            TopicArn: Type.String({
              description: "The topic.",
              examples: ["arn:vendor:sns:us-east-1:123456789012:calls"],
            }),
            Endpoint: Type.String({
              description: "Where its messages are sent.",
              examples: ["https://calls.example.org/events"],
            }),
          }),
          { description: "The web addresses." },
        ),
      }),
    },
    async handle(_input, { db, account, request }) {
      const rows = await store.listSubscriptions(db, account, request.region, SUBSCRIPTIONS_MAX);
      return {
        Subscriptions: rows.map(({ id, topic_arn, endpoint }) => ({
          SubscriptionId: id,
          TopicArn: topic_arn,
          Endpoint: endpoint,
        })),
      };
    },
  }),
  operation({
    id: "voice.DeleteTopicSubscription",
    summary: "Stops the delivery of a topic to a URL",
    description: "Deliveries that were queued before may still be attempted.",
    method: "DELETE",
    path: `${PATH}/{SubscriptionId}`,
    permission: "sms-voice:DeleteTopicSubscription",
    params: Type.Object({
      SubscriptionId: SubscriptionIdText,
    }),
    answers: { 200: Nothing },
    errors: [errors.notFound],
    async handle({ params }, { db, account, request }) {
      if (!(await store.removeSubscription(db, account, request.region, params.SubscriptionId)))
        throw errors.notFound(`There is no topic subscription ${params.SubscriptionId}.`);
      return {};
    },
  }),
];
