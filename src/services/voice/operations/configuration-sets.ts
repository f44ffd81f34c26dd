/** Configuration sets: named sets of event destinations for messages. */
import { Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import * as store from "../store.ts";
import type { Tables } from "../tables.ts";
import { Nothing, PageQuery, SetBody, SetPath } from "../wire.ts";

const operation = operationsFor<Tables>();
const SETS_MAX = 10_000;

export const configurationSetOperations = [
  operation({
    id: "voice.CreateConfigurationSet",
    summary: "Creates a configuration set",
    description: `An account may have ${SETS_MAX} sets in a region; an existing name is refused. Next, add destinations with \`voice.CreateConfigurationSetEventDestination\`, and name the set in \`voice.SendVoiceMessage\`.`,
    method: "POST",
    path: "/v1/sms-voice/configuration-sets",
    permission: "sms-voice:CreateConfigurationSet",
    // The limit is checked before the transaction. Counting inside would serialize all creations.
    transaction: "manual",
    body: SetBody,
    answers: { 200: Nothing },
    errors: [errors.badRequest, errors.alreadyExists, errors.limitExceeded, errors.tooManyRequests],
    async handle({ body }, context) {
      const { ConfigurationSetName: name } = body;
      const { account, request } = context;
      if ((await store.countSets(context.db, account, request.region)) >= SETS_MAX)
        throw errors.limitExceeded(`There are ${SETS_MAX} configuration sets already.`);
      const isNew = await context.transact(({ db, clock }) =>
        store.insertSet(db, account, request.region, name, clock.nowMs()),
      );
      if (!isNew) throw errors.alreadyExists(`There is a configuration set named ${name} already.`);
      return {};
    },
  }),
  operation({
    id: "voice.DeleteConfigurationSet",
    summary: "Deletes a configuration set with its event destinations",
    description: "Calls that are in progress continue, but their further events are not published.",
    method: "DELETE",
    path: "/v1/sms-voice/configuration-sets/{ConfigurationSetName}",
    permission: "sms-voice:DeleteConfigurationSet",
    params: SetPath,
    answers: { 200: Nothing },
    errors: [errors.badRequest, errors.notFound, errors.tooManyRequests],
    async handle({ params }, { db, account, request }) {
      if (!(await store.removeSet(db, account, request.region, params.ConfigurationSetName)))
        throw errors.notFound(`There is no configuration set named ${params.ConfigurationSetName}.`);
      return {};
    },
  }),
  operation({
    id: "voice.ListConfigurationSets",
    summary: "Lists the names of the configuration sets",
    description: "Only sets of the request's region, by name.",
    method: "GET",
    path: "/v1/sms-voice/configuration-sets",
    permission: "sms-voice:ListConfigurationSets",
    query: PageQuery,
    answers: {
      200: Type.Object({
        ConfigurationSets: Type.Array(Type.String(), {
          description: "Their names.",
          examples: [["appointment-reminders"]],
        }),
        NextToken: Type.Optional(
          Type.String({ description: "Where the next page goes on.", examples: ["MTAw"] }),
        ),
      }),
    },
    errors: [errors.badRequest, errors.tooManyRequests],
    async handle({ query }, context) {
      const { db, account, request } = context;
      const { rows, nextToken } = await context.pages.of(
        { size: query.PageSize, token: query.NextToken, filter: {}, invalid: errors.badRequest },
        ({ name }: { name: string }) => [name],
        (after, limit) => store.listSetsAfter(db, account, request.region, after?.[0] ?? "", limit),
      );
      return {
        ConfigurationSets: rows.map(({ name }) => name),
        ...(nextToken !== undefined && { NextToken: nextToken }),
      };
    },
  }),
];
