/** The public event page, and the server-sent events that notify it of changes. */
import { Type } from "@sinclair/typebox";
import { answerOf } from "#kernel/html";
import { answer, anyone, media, noBody, operationsFor } from "#kernel/operation";
import { errors, inputError } from "../errors.ts";
import { renderLivePage, renderNoEventPage } from "../live/index.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { EventRow, Tables } from "../tables.ts";
import * as parameters from "../wire/parameters.ts";

const operation = operationsFor<Tables, State>();

const livePlace = Type.Object({
  account: Type.String({
    pattern: "^\\d{12}$",
    description: "The account that keeps the event.",
    examples: ["123456789012"],
  }),
  ...parameters.atEvent.properties,
});

const shared = {
  permission: anyone,
  params: livePlace,
  errors: [errors.malformedParameter, errors.invalidSeason],
  inputError,
  tags: ["addition"],
} as const;

type Place = { readonly account: string; readonly season: number; readonly eventCode: string };

const findEvent = ({ db }: RoboticsContext, { account, season, eventCode }: Place) =>
  store.findEvent(db, account, season, eventCode.toUpperCase());

/** Changes whenever the content of the page changes. */
const versionOf = (event: EventRow): string => store.playedChangesOf(event).join(".");

const placeOf = ({ city, stateprov, country, venue, date_start, date_end }: EventRow): string => {
  const days = [date_start, date_end].flatMap((date) => date?.slice(0, 10) ?? []);
  return [venue, city, stateprov, country, [...new Set(days)].join(" to ")]
    .filter((part) => part !== "")
    .join(" · ");
};

async function readEvent({ db }: RoboticsContext, account: string, event: EventRow) {
  const { season, code } = event;
  const [matches, rankings, alliances, teams] = [
    await store.listMatches(db, account, season, code),
    await store.listRankings(db, account, season, code),
    await store.listAlliances(db, account, season, code),
    await store.listTeams(db, account, season),
  ];
  return {
    season,
    name: event.name,
    where: placeOf(event),
    matches,
    rankings: rankings.map(({ ranking }) => ranking),
    alliances,
    teamNames: new Map(teams.map(({ number, name_short }) => [number, name_short])),
  };
}

const showLivePage = operation({
  ...shared,
  id: "robotics.live.show",
  summary: "Shows the public page of an event",
  description:
    "The page updates itself through `robotics.live.stream`. It is cached until the event changes.",
  method: "GET",
  path: "/live/{account}/{season}/{eventCode}",
  answers: { 200: media("text/html"), 404: media("text/html") },
  async handle({ params }, context) {
    const event = await findEvent(context, params);
    if (!event) return answerOf(renderNoEventPage());
    const version = versionOf(event);
    const page = await context.state.pages.get(
      `${params.account}/${event.season}/${event.code}`,
      version,
      async () => renderLivePage(await readEvent(context, params.account, event), version),
    );
    return answerOf(page);
  },
});

/** A version event, or a comment as a keep-alive. */
async function* eventLines(versions: AsyncGenerator<string | undefined>): AsyncGenerator<string> {
  for await (const version of versions)
    yield version === undefined ? ": still here\n\n" : `event: version\ndata: ${version}\n\n`;
}

const streamLivePage = operation({
  ...shared,
  id: "robotics.live.stream",
  summary: "Streams changes of an event's page as server-sent events",
  description: "Sends the version of the page after each change. 503 if too many listen.",
  method: "GET",
  path: "/live/{account}/{season}/{eventCode}/stream",
  answers: { 200: media("text/event-stream"), 404: noBody, 503: noBody },
  async handle({ params }, context) {
    const event = await findEvent(context, params);
    if (!event) return answer(404);
    const key = `${params.account}/${event.season}/${event.code}`;
    const versions = context.state.watchers.watch(key, versionOf(event), async () => {
      const current = await findEvent(context, params);
      return current ? versionOf(current) : "";
    });
    if (!versions) return answer(503, undefined, { "retry-after": "60" });
    return answer(200, eventLines(versions), { "cache-control": "no-store" });
  },
});

export const liveOperations = [showLivePage, streamLivePage];
