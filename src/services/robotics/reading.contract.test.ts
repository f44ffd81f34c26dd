/** How lists are asked for: every pair of parameters, JSON and XML, dates, and pages while results come in. */
import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { Robotics } from "../../../tests/support/robotics.ts";

type Matrix = {
  readonly path: string;
  readonly samples: Readonly<Record<string, string>>;
  /** Pairs that exclude each other. */
  readonly forbidden: readonly string[];
  /** Pairs that lack something. */
  readonly lacking?: readonly string[];
};

const matrices: readonly Matrix[] = [
  {
    path: "/2024/events",
    samples: {
      eventCode: "MEALD",
      teamNumber: "101",
      districtCode: "MED",
      excludeDistrict: "true",
      weekNumber: "1",
      tournamentType: "DistrictEvent",
    },
    forbidden: [
      "eventCode teamNumber",
      "eventCode districtCode",
      "eventCode excludeDistrict",
      "eventCode weekNumber",
      "eventCode tournamentType",
      "districtCode excludeDistrict",
    ],
  },
  {
    path: "/2024/teams",
    samples: { teamNumber: "101", eventCode: "MEALD", districtCode: "MED", state: "Westland", page: "1" },
    forbidden: ["teamNumber eventCode", "teamNumber districtCode", "teamNumber state"],
  },
  {
    path: "/2024/avatars",
    samples: { teamNumber: "101", eventCode: "MEALD", page: "1" },
    forbidden: ["teamNumber eventCode"],
  },
  {
    path: "/2024/scores/MEALD/Qualification",
    samples: { matchNumber: "1", start: "1", end: "2" },
    forbidden: ["matchNumber start", "matchNumber end"],
  },
  {
    path: "/2024/matches/MEALD",
    samples: {
      tournamentLevel: "Qualification",
      teamNumber: "101",
      matchNumber: "1",
      start: "1",
      end: "2",
    },
    forbidden: ["teamNumber matchNumber", "matchNumber start", "matchNumber end"],
    lacking: ["teamNumber start", "teamNumber end", "start end"],
  },
  { path: "/2024/rankings/MEALD", samples: { teamNumber: "101", top: "3" }, forbidden: ["teamNumber top"] },
  {
    path: "/2024/rankings/district",
    samples: { districtCode: "MED", teamNumber: "101", top: "3", page: "1" },
    forbidden: ["districtCode teamNumber", "teamNumber top", "teamNumber page", "top page"],
  },
  {
    path: "/2024/schedule/MEALD",
    samples: { tournamentLevel: "Qualification", teamNumber: "101", start: "1", end: "2" },
    forbidden: [],
    lacking: ["start end"],
  },
  {
    path: "/2024/rankings/district/qualPerformanceCalculation",
    samples: { tournamentType: "Regional", qualificationRank: "2", teamsAtEvent: "30" },
    forbidden: [],
    lacking: [
      "tournamentType qualificationRank",
      "tournamentType teamsAtEvent",
      "qualificationRank teamsAtEvent",
    ],
  },
];
const lists = [
  "/",
  "/2024",
  "/2024/events",
  "/2024/districts",
  "/2024/teams",
  "/2024/avatars",
  "/2024/awards/event/MECMP",
  "/2024/awards/list",
  "/2024/awards/team/101",
  "/2024/awards/eventteam/MECMP/101",
  "/2024/scores/MEALD/Playoff",
  "/2024/matches/MEALD",
  "/2024/rankings/MEALD",
  "/2024/rankings/district?districtCode=MED",
  "/2024/schedule/MEALD?tournamentLevel=Qualification",
  "/2024/schedule/MEALD/Playoff/hybrid",
  "/2024/alliances/MEALD",
  "/2024/bracket/MEALD",
  "/2024/statistics/MEALD",
];

/** What XML says in the terms of JSON: lists are elements of elements. */
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  alwaysCreateTextNode: false,
  isArray: (name) =>
    /^(?:Event|district|team|Team|Award|award|MatchScore|Match|Ranking|districtRank|ScheduledMatch|Alliance|alliance|set|match|item|webcast|frcChampionship)$/.test(
      name,
    ),
});
function sameAsJson(xml: any, json: any, path: string): void {
  if (json === null) expect([path, xml]).toEqual([path, { "@_i:nil": "true" }]);
  else if (Array.isArray(json)) {
    const items = xml === "" ? [] : (Object.values(xml)[0] as unknown[]);
    expect([path, items.length]).toEqual([path, json.length]);
    for (const [at, one] of json.entries()) sameAsJson(items[at], one, `${path}[${at}]`);
  } else if (typeof json === "object") {
    expect([path, Object.keys(xml)]).toEqual([path, Object.keys(json)]);
    for (const [name, one] of Object.entries(json)) sameAsJson(xml[name], one, `${path}.${name}`);
  } else expect([path, [xml].flat()[0]]).toEqual([path, String(json)]);
}

onBothDatabases("asking robotics", (instance) => {
  const robotics = new Robotics(instance);
  beforeAll(() => robotics.seed());

  describe.each(matrices)("$path", ({ path, samples, forbidden, lacking = [] }) => {
    const names = Object.keys(samples);
    const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => `${one} ${other}`));
    it.each(pairs)("%s", async (pair) => {
      const asked = new URLSearchParams(
        pair.split(" ").map((name) => [name, samples[name]!] as [string, string]),
      );
      const { status, body } = await robotics.get(`${path}?${asked}`);
      const wanted = forbidden.includes(pair) ? 501 : lacking.includes(pair) ? 400 : 200;
      expect([status, body.code ?? 200, body.message ?? ""]).toEqual([
        wanted,
        wanted,
        {
          200: "",
          400: expect.stringMatching(/^Missing Parameter In Request: /),
          501: expect.stringMatching(/^Request Did Not Match Any Current API Pattern: /),
        }[wanted],
      ]);
    });
    it("takes what is sent empty as not sent, and refuses what is out of form", async () => {
      const needed = { "/2024/rankings/district": "districtCode", "/2024/schedule/MEALD": "tournamentLevel" }[
        path
      ];
      const first = needed ?? names[0]!;
      const isCalculation = path.endsWith("Calculation");
      const asked = new URLSearchParams(
        names.map((name): [string, string] => [name, name === first || isCalculation ? samples[name]! : ""]),
      );
      const bare = new URLSearchParams(isCalculation ? samples : { [first]: samples[first]! });
      const [empty, without] = [
        await robotics.get(`${path}?${asked}`),
        await robotics.get(`${path}?${bare}`),
      ];
      expect([empty.status, empty.text]).toEqual([without.status, without.text]);
      for (const name of names.filter((one) => !["state", "eventCode", "districtCode"].includes(one))) {
        const { status, body } = await robotics.get(`${path}?${name}=${encodeURIComponent("'; --")}`);
        expect([name, status, body.message]).toEqual([
          name,
          400,
          expect.stringMatching(/^(?:Malformed Parameter Format|Missing Parameter) In Request: /),
        ]);
      }
    });
  });

  it("answers the same in XML as in JSON, errors too", async () => {
    for (const path of lists) {
      const json = await robotics.get(path);
      const xml = await robotics.get(path, { headers: { accept: "application/xml" } });
      expect([path, xml.status, xml.headers.get("content-type")]).toEqual([
        path,
        200,
        "application/xml; charset=utf-8",
      ]);
      const [root] = Object.values(parser.parse(xml.text.slice(xml.text.indexOf("\n"))));
      const { "@_xmlns:i": _, ...content } = root as Record<string, unknown>;
      sameAsJson(content, json.body, path);
    }
    const refused = await robotics.get("/2024/matches/NONESUCH", {
      headers: { accept: "text/xml, */*;q=0.1" },
    });
    expect([refused.status, refused.text]).toEqual([
      404,
      expect.stringMatching(/<Error xmlns:i="[^"]+"><code>404<\/code><message>Invalid Event Requested: /),
    ]);
    const number = await robotics.get(
      "/2024/rankings/district/qualPerformanceCalculation?tournamentType=Regional&qualificationRank=1&teamsAtEvent=40",
      { headers: { accept: "application/xml;q=0.9, application/json;q=0.1" } },
    );
    expect(number.text).toMatch(/<points [^>]+>22<\/points>$/);
  });

  describe("dates", () => {
    const conditional = lists.filter((path) => !/^\/$|awards\/(?:team|eventteam)|alliances/.test(path));
    const ask = (path: string, headers: Record<string, string> = {}) => robotics.get(path, { headers });
    it.each(conditional)("%s is answered by 304 until it changes", async (path) => {
      const seen = await ask(path);
      const date = seen.headers.get("last-modified")!;
      expect(Date.parse(date)).toBeLessThanOrEqual(instance().clock.nowMs());
      for (const header of ["If-Modified-Since", "FMS-OnlyModifiedSince"]) {
        const again = await ask(path, { [header]: date });
        expect([header, again.status, again.text]).toEqual([header, 304, ""]);
        const before = new Date(Date.parse(date) - 86_400_000).toUTCString();
        expect((await ask(path, { [header]: before })).text).toBe(seen.text);
      }
      const both = await ask(path, { "If-Modified-Since": date, "FMS-OnlyModifiedSince": date });
      expect([both.status, both.body.code]).toEqual([400, 400]);
      for (const odd of ["yesterday", "Thu, 99 Foo 2024 10:00:00 GMT", "2024-01-01T00:00:00Z"])
        expect((await ask(path, { "If-Modified-Since": odd, "FMS-OnlyModifiedSince": date })).status).toBe(
          304,
        );
    });
    it("are of an own second for every change, and tell only what changed", async () => {
      await instance().clock.freeze();
      const matches = "/2024/matches/MEOFF?tournamentLevel=Qualification";
      const enter = (number: number, red: number) =>
        robotics.put(`/2024/matches/MEOFF/Qualification/${number}`, {
          scoreRedFinal: red,
          scoreBlueFinal: 1,
        });
      await enter(20, 5);
      const first = await ask(matches);
      const date = first.headers.get("last-modified")!;
      await enter(20, 6);
      await enter(21, 7);
      expect((await ask(matches, { "If-Modified-Since": date })).body.Matches).toHaveLength(
        first.body.Matches.length + 1,
      );
      const changed = await ask(matches, { "FMS-OnlyModifiedSince": date });
      expect(
        changed.body.Matches.map(({ matchNumber, scoreRedFinal }: any) => [matchNumber, scoreRedFinal]),
      ).toEqual([
        [20, 6],
        [21, 7],
      ]);
      await enter(21, 7);
      await instance().clock.advance("10s");
      const settled = (await ask(matches)).headers.get("last-modified")!;
      expect((await ask(matches, { "If-Modified-Since": settled })).status).toBe(304);
      expect((await ask("/2024/awards/event/MEALD", { "If-Modified-Since": date })).status).toBe(304);
      expect((await ask("/2024/rankings/MEOFF", { "If-Modified-Since": date })).status).toBe(200);
      await instance().clock.resume();
    });
    it("are not told of what is empty", async () => {
      const empty = await ask("/2024/teams?state=Nowhere");
      expect([empty.status, empty.headers.get("last-modified")]).toEqual([200, null]);
      expect((await ask("/2024/awards/team/101")).headers.get("last-modified")).not.toBe(null);
    });
  });

  it("keeps pages as they are while results come in", async () => {
    const teams = Array.from({ length: 150 }, (_, at) => ({
      teamNumber: 5000 + at,
      nameShort: `Robots ${at}`,
    }));
    const line = {
      kind: "teams",
      season: 2024,
      teams: teams.map((team) => ({ ...team, stateProv: "Pages" })),
    };
    expect((await robotics.import([line])).body).toMatchObject({ teams: 150, refusedLines: 0 });
    const seen: number[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await robotics.get(`/2024/teams?state=pages&page=${page}`);
      expect([body.teamCountTotal, body.pageCurrent, body.pageTotal]).toEqual([150, page, 3]);
      expect(body.teams).toHaveLength(body.teamCountPage);
      seen.push(...body.teams.map(({ teamNumber }: { teamNumber: number }) => teamNumber));
      await robotics.put(`/2024/matches/MEOFF/Qualification/${24 + page}`, {
        scoreRedFinal: page,
        scoreBlueFinal: 0,
      });
    }
    expect(seen).toEqual(teams.map(({ teamNumber }) => teamNumber));
    const windows: number[] = [];
    for (let start = 1; start <= 32; start += 8) {
      const { body } = await robotics.get(
        `/2024/schedule/MEOFF?tournamentLevel=Qualification&start=${start}&end=${start + 7}`,
      );
      windows.push(...body.Schedule.map(({ matchNumber }: { matchNumber: number }) => matchNumber));
      await robotics.put(`/2024/matches/MEOFF/Qualification/${start}`, {
        scoreRedFinal: 3,
        scoreBlueFinal: 4,
      });
    }
    expect(windows).toEqual(Array.from({ length: 32 }, (_, at) => at + 1));
  });
});
