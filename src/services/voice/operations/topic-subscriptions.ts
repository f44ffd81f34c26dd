/** Beyond the contract: a topic's events can be delivered to web addresses. */
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

export const topicSubscriptionOperations = [
  operation({
    id: "voice.CreateTopicSubscription",
    summary: "Deliver the events that are published to a topic to a web address as well",
    description:
      "Deliveries are signed with the secret of the answer, which is shown once: the header `webhook-signature` is " +
      "`v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots.",
    method: "POST",
    path: PATH,
    permission: "sms-voice:CreateTopicSubscription",
    body: TopicSubscription,
    answers: { 200: Type.Object({ SubscriptionId: Type.String(), Secret: Type.String() }) },
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
    summary: "List the web addresses that topics are delivered to",
    method: "GET",
    path: PATH,
    permission: "sms-voice:ListTopicSubscriptions",
    answers: {
      200: Type.Object({
        Subscriptions: Type.Array(
          Type.Object({ SubscriptionId: Type.String(), TopicArn: Type.String(), Endpoint: Type.String() }),
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
    summary: "Stop delivering a topic to a web address",
    method: "DELETE",
    path: `${PATH}/{SubscriptionId}`,
    permission: "sms-voice:DeleteTopicSubscription",
    params: Type.Object({
      SubscriptionId: Type.String({
        description: "The subscription's id.",
        examples: ["sub_1m7fqc7680000eyv1bw2px5"],
      }),
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
