/** Event destinations: targets for call events of a configuration set. */
import { Type } from "@sinclair/typebox";
import { type Context, operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import * as store from "../store.ts";
import type { Tables, Words } from "../tables.ts";
import {
  DestinationPath,
  DestinationPost,
  DestinationPut,
  destinationOf,
  EventDestination,
  Nothing,
  SetPath,
  showDestination,
} from "../wire.ts";

const operation = operationsFor<Tables>();
const DESTINATIONS_PER_SET_MAX = 10;
const PATH = "/v1/sms-voice/configuration-sets/{ConfigurationSetName}/event-destinations";

async function requireSet({ db, account, request }: Context<Tables>, name: string): Promise<void> {
  if (!(await store.hasSet(db, account, request.region, name)))
    throw errors.notFound(`There is no configuration set named ${name}.`);
}
const wordsOf = ({ request }: Context): Words => (request.dialect === undefined ? "neutral" : "makers");
const noSuchDestination = (path: { ConfigurationSetName: string; EventDestinationName: string }) =>
  errors.notFound(
    `The configuration set ${path.ConfigurationSetName} has no event destination named ${path.EventDestinationName}.`,
  );

export const eventDestinationOperations = [
  operation({
    id: "voice.CreateConfigurationSetEventDestination",
    summary: "Adds an event destination to a configuration set",
    description: `A set may have ${DESTINATIONS_PER_SET_MAX} destinations. Events of calls from now on are published to it, and appear in the outbox.`,
    method: "POST",
    path: PATH,
    permission: "sms-voice:CreateConfigurationSetEventDestination",
    params: SetPath,
    body: DestinationPost,
    answers: { 200: Nothing },
    errors: [
      errors.badRequest,
      errors.notFound,
      errors.alreadyExists,
      errors.limitExceeded,
      errors.tooManyRequests,
    ],
    async handle({ params, body }, context) {
      const { EventDestinationName: name } = body;
      const destination = destinationOf(body.EventDestination);
      const set = params.ConfigurationSetName;
      await requireSet(context, set);
      const known = await store.listDestinations(context.db, context.account, context.request.region, set);
      if (known.some((one) => one.name === name))
        throw errors.alreadyExists(`The configuration set ${set} has an event destination named ${name}.`);
      if (known.length >= DESTINATIONS_PER_SET_MAX)
        throw errors.limitExceeded(
          `A configuration set has at most ${DESTINATIONS_PER_SET_MAX} event destinations.`,
        );
      await store.insertDestination(context.db, context.account, context.request.region, set, {
        ...destination,
        name,
        words: wordsOf(context),
      });
      return {};
    },
  }),
  operation({
    id: "voice.UpdateConfigurationSetEventDestination",
    summary: "Replaces an event destination of a configuration set",
    description: "Applies to the next event, also of calls in progress.",
    method: "PUT",
    path: `${PATH}/{EventDestinationName}`,
    permission: "sms-voice:UpdateConfigurationSetEventDestination",
    params: DestinationPath,
    body: DestinationPut,
    answers: { 200: Nothing },
    errors: [errors.badRequest, errors.notFound, errors.tooManyRequests],
    async handle({ params, body }, context) {
      const destination = destinationOf(body.EventDestination);
      const { ConfigurationSetName: set, EventDestinationName: name } = params;
      await requireSet(context, set);
      const changed = { ...destination, name, words: wordsOf(context) };
      if (!(await store.updateDestination(context.db, context.account, context.request.region, set, changed)))
        throw noSuchDestination(params);
      return {};
    },
  }),
  operation({
    id: "voice.DeleteConfigurationSetEventDestination",
    summary: "Deletes an event destination of a configuration set",
    description: "Events that were published before stay in the outbox.",
    method: "DELETE",
    path: `${PATH}/{EventDestinationName}`,
    permission: "sms-voice:DeleteConfigurationSetEventDestination",
    params: DestinationPath,
    answers: { 200: Nothing },
    errors: [errors.badRequest, errors.notFound, errors.tooManyRequests],
    async handle({ params }, context) {
      const { ConfigurationSetName: set, EventDestinationName: name } = params;
      await requireSet(context, set);
      if (!(await store.removeDestination(context.db, context.account, context.request.region, set, name)))
        throw noSuchDestination(params);
      return {};
    },
  }),
  operation({
    id: "voice.GetConfigurationSetEventDestinations",
    summary: "Lists the event destinations of a configuration set",
    description: "All on one page. Clients get the spelling that they used for the creation.",
    method: "GET",
    path: PATH,
    permission: "sms-voice:GetConfigurationSetEventDestinations",
    params: SetPath,
    answers: {
      200: Type.Object({
        EventDestinations: Type.Array(EventDestination, { description: "All of the set's." }),
      }),
    },
    errors: [errors.badRequest, errors.notFound, errors.tooManyRequests],
    async handle({ params }, context) {
      await requireSet(context, params.ConfigurationSetName);
      const all = await store.listDestinations(
        context.db,
        context.account,
        context.request.region,
        params.ConfigurationSetName,
      );
      // The dialect layer translates names for recognised clients. Other clients get the names of the
      // creation request.
      const isSpelt = context.request.dialect !== undefined;
      return {
        EventDestinations: all.map(({ name, words, ...destination }) =>
          showDestination(name, destination, isSpelt ? "neutral" : words),
        ),
      };
    },
  }),
];
