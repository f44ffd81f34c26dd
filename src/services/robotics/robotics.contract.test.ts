/** Robotics over HTTP, on both databases: every operation reads the demo season. */
import { beforeAll, describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { Robotics } from "../../../tests/support/robotics.ts";

onBothDatabases("robotics", (instance) => {
  const robotics = new Robotics(instance);
  const read = async (path: string) => {
    const { status, body, text } = await robotics.get(path);
    expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
    return body;
  };
  const refused = async (path: string) => {
    const { status, body } = await robotics.get(path);
    expect(body, path).toEqual({ code: status, message: expect.any(String) });
    return [status, body.message.split(":")[0]];
  };
  beforeAll(() => robotics.seed());

  describe("reading", () => {
    it("tells the interface and the season, without a credential the former", async () => {
      const root = await robotics.get("/", { as: null });
      const year = new Date(instance().clock.nowMs()).getUTCFullYear();
      expect(root.body).toEqual({
        currentSeason: year,
        maxSeason: expect.any(Number),
        name: expect.any(String),
        apiVersion: "3.0",
        status: "normal",
      });
      expect(root.body.maxSeason - year).toBeOneOf([0, 1]);
      expect((await instance().send("GET", "/robotics/")).body).toEqual(root.body);
      expect(await read("/2024")).toEqual({
        eventCount: 6,
        gameName: "Crescendo",
        kickoff: "2024-01-06T00:00:00Z",
        rookieStart: 4563,
        teamCount: 48,
        frcChampionships: [
          { name: "World Championship", startDate: "2024-04-17T00:00:00", location: "Houston, TX, USA" },
        ],
      });
      expect(await read("/2016")).toMatchObject({
        eventCount: 0,
        teamCount: 0,
        gameName: "FIRST Stronghold",
      });
    });

    it("lists events by code, team, district, week and kind", async () => {
      const codes = async (query: string) => {
        const { Events, eventCount } = await read(`/2024/events${query}`);
        expect(Events).toHaveLength(eventCount);
        return Events.map(({ code }: { code: string }) => code);
      };
      expect(await codes("")).toEqual(["MEALD", "MEBIR", "MECED", "MECMP", "MEDOG", "MEOFF"]);
      expect(await codes("?eventCode=mebir")).toEqual(["MEBIR"]);
      expect(await codes("?eventCode=NONESUCH")).toEqual([]);
      expect(await codes("?districtCode=med&weekNumber=3")).toEqual(["MECED"]);
      expect(await codes("?excludeDistrict=true")).toEqual(["MEOFF"]);
      expect(await codes("?tournamentType=districtchampionship")).toEqual(["MECMP"]);
      expect(await codes("?teamNumber=101&tournamentType=DistrictEvent")).toEqual(["MEALD", "MECED"]);
      const { Events } = await read("/2024/events?eventCode=MEALD");
      expect(Events[0]).toEqual({
        address: "1 Main Street",
        website: "https://example.org/events/meald",
        webcasts: ["https://example.org/live/meald"],
        timezone: "Eastern Standard Time",
        code: "MEALD",
        divisionCode: null,
        name: "Alder Falls District Event",
        type: "DistrictEvent",
        districtCode: "MED",
        venue: "Alder Falls Arena",
        city: "Alder Falls",
        stateprov: "Eastland",
        country: "USA",
        dateStart: "2024-03-01T00:00:00",
        dateEnd: "2024-03-01T23:59:59",
        weekNumber: 1,
      });
    });

    it("lists districts, teams and avatars, with totals", async () => {
      expect(await read("/2024/districts")).toEqual({
        districts: [{ code: "MED", name: "Medley District" }],
        districtCount: 1,
      });
      const all = await read("/2024/teams");
      expect([
        all.teams.length,
        all.teamCountTotal,
        all.teamCountPage,
        all.pageCurrent,
        all.pageTotal,
      ]).toEqual([48, 48, 48, 1, 1]);
      expect(Object.keys(all.teams[0]).sort()).toEqual(
        "city country districtCode homeCMP nameFull nameShort robotName rookieYear schoolName stateProv teamNumber website".split(
          " ",
        ),
      );
      expect((await read("/2024/teams?eventCode=meald")).teamCountTotal).toBe(24);
      expect((await read("/2024/teams?eventCode=meald&state=westland")).teamCountTotal).toBe(8);
      expect((await read("/2024/teams?districtCode=MED&page=2")).teamCountPage).toBe(0);
      expect((await read("/2024/teams?teamNumber=198")).teams[0].teamNumber).toBe(198);
      const { teams } = await read("/2024/avatars?teamNumber=101");
      expect(Buffer.from(teams[0].encodedAvatar, "base64").subarray(1, 4).toString()).toBe("PNG");
      expect((await read("/2024/avatars?eventCode=MEALD")).teamCountTotal).toBe(24);
    });

    it("tells awards by event, by team and by both, and what can be won", async () => {
      const { Awards } = await read("/2024/awards/event/MECMP");
      const winners = Awards.filter(({ awardId }: { awardId: number }) => awardId === 1);
      expect(winners).toHaveLength(3);
      expect(winners[0]).toEqual({
        awardId: 1,
        teamId: 202_400_000 + winners[0].teamNumber,
        eventId: expect.any(Number),
        eventDivisionId: null,
        eventCode: "MECMP",
        name: "District Championship Winner",
        series: 1,
        teamNumber: expect.any(Number),
        schoolName: expect.stringContaining("High School"),
        fullTeamName: expect.stringContaining("High School"),
        person: null,
      });
      const team = winners[0].teamNumber;
      const own = (await read(`/2024/awards/team/${team}`)).Awards;
      expect(own).toContainEqual(winners[0]);
      const both = (await read(`/2024/awards/eventteam/mecmp/${team}`)).Awards;
      expect(both).toEqual(own.filter(({ eventCode }: { eventCode: string }) => eventCode === "MECMP"));
      const person = Awards.find(({ awardId }: { awardId: number }) => awardId === 5);
      expect([person.person, person.teamNumber, person.schoolName]).toEqual(["Ann Example", null, null]);
      expect((await read("/2024/awards/list")).awards).toContainEqual({
        awardId: 5,
        eventType: "DistrictChampionship",
        description: "Volunteer of the Year",
        forPerson: true,
      });
    });

    it("tells matches, scores and schedules, by level, number, range and team", async () => {
      const numbers = async (query: string) =>
        (await read(`/2024/matches/MEALD${query}`)).Matches.map(
          (match: { tournamentLevel: string; matchNumber: number }) =>
            `${match.tournamentLevel[0]}${match.matchNumber}`,
        );
      expect((await numbers("?tournamentLevel=qualification")).length).toBe(32);
      expect((await numbers("?tournamentLevel=qual")).length).toBe(32);
      expect(await numbers("?tournamentLevel=Qualification&start=31")).toEqual(["Q31", "Q32"]);
      expect(await numbers("?tournamentLevel=Qualification&matchNumber=7")).toEqual(["Q7"]);
      expect(await numbers("?tournamentLevel=Qualification&start=2&end=3")).toEqual(["Q2", "Q3"]);
      expect(await numbers("?tournamentLevel=Qualification&start=33")).toEqual([]);
      expect((await numbers("?teamNumber=101&tournamentLevel=Qualification")).length).toBe(8);
      expect((await numbers("")).slice(-1)[0]).toMatch(/^P/);
      const { Matches } = await read("/2024/matches/MEALD?tournamentLevel=Qualification&matchNumber=1");
      expect(Object.keys(Matches[0]).sort()).toEqual(
        "actualStartTime description matchNumber postResultTime scoreBlueAuto scoreBlueFinal scoreBlueFoul scoreRedAuto scoreRedFinal scoreRedFoul teams tournamentLevel".split(
          " ",
        ),
      );
      expect(Matches[0].teams[0]).toEqual({ teamNumber: expect.any(Number), station: "Red1", dq: false });

      const { MatchScores } = await read("/2024/scores/MEALD/Qualification?matchNumber=1");
      expect(MatchScores[0].alliances.map(({ alliance }: { alliance: string }) => alliance)).toEqual([
        "Blue",
        "Red",
      ]);
      expect(MatchScores[0].alliances[1].totalPoints).toBe(Matches[0].scoreRedFinal);
      expect((await read("/2024/scores/MEALD/Playoff")).MatchScores.length).toBeGreaterThan(10);
      expect((await read("/2024/scores/MEALD/Qualification?start=30&end=31")).MatchScores).toHaveLength(2);

      const { Schedule } = await read("/2024/schedule/MEOFF?tournamentLevel=Qualification&start=17&end=18");
      expect(Schedule).toHaveLength(2);
      expect(Schedule[0]).toEqual({
        field: "Primary",
        tournamentLevel: "Qualification",
        description: "Qualification 17",
        startTime: "2024-10-12T10:52:00",
        matchNumber: 17,
        teams: expect.arrayContaining([
          { teamNumber: expect.any(Number), station: "Blue3", surrogate: false },
        ]),
      });
      expect((await read("/2024/schedule/MEALD?teamNumber=101")).Schedule.length).toBeGreaterThanOrEqual(8);
      const hybrid = (await read("/2024/schedule/MEOFF/Qualification/hybrid?start=16&end=17")).Schedule;
      expect(hybrid.map(({ scoreRedFinal }: { scoreRedFinal: number | null }) => scoreRedFinal)).toEqual([
        expect.any(Number),
        null,
      ]);
    });

    it("computes rankings, standings, brackets, statistics and points", async () => {
      const { Rankings } = await read("/2024/rankings/MEALD");
      expect(Rankings.map(({ rank }: { rank: number }) => rank)).toEqual(
        Array.from({ length: 24 }, (_, at) => at + 1),
      );
      expect((await read("/2024/rankings/MEALD?top=3")).Rankings).toEqual(Rankings.slice(0, 3));
      expect((await read(`/2024/rankings/MEALD?teamNumber=${Rankings[4].teamNumber}`)).Rankings).toEqual([
        Rankings[4],
      ]);

      const standings = await read("/2024/rankings/district?districtCode=med");
      expect([standings.rankingCountTotal, standings.rankingCountPage, standings.pageTotal]).toEqual([
        48, 48, 1,
      ]);
      const [first] = standings.districtRanks;
      expect(first).toMatchObject({
        districtCode: "MED",
        rank: 1,
        districtCmpCode: "MECMP",
        qualifiedFirstCmp: true,
      });
      expect(first.totalPoints).toBe(
        first.event1Points +
          first.event2Points +
          first.districtCmpPoints +
          first.teamAgePoints +
          first.adjustmentPoints,
      );
      expect((await read("/2024/rankings/district?districtCode=MED&top=5")).districtRanks).toEqual(
        standings.districtRanks.slice(0, 5),
      );
      expect((await read(`/2024/rankings/district?teamNumber=${first.teamNumber}`)).districtRanks).toEqual([
        first,
      ]);

      const alliances = await read("/2024/alliances/MEALD");
      expect([alliances.count, alliances.Alliances[0].captain]).toEqual([8, Rankings[0].teamNumber]);
      const bracket = await read("/2024/bracket/MEALD");
      expect([bracket.kind, bracket.champion, bracket.pending]).toEqual([
        "doubleElimination",
        expect.any(Number),
        [],
      ]);
      const { statistics } = await read("/2024/statistics/MEALD");
      expect(statistics).toHaveLength(24);

      const points = "/2024/rankings/district";
      expect(
        await read(
          `${points}/qualPerformanceCalculation?tournamentType=DistrictEvent&qualificationRank=1&teamsAtEvent=40`,
        ),
      ).toBe(22);
      expect(
        await read(
          `${points}/allianceSelectionCalculation?tournamentType=DistrictEvent&sizeType=EightAlliance&allianceNumber=2&allianceRole=Captain`,
        ),
      ).toBe(15);
      expect(
        await read(
          `${points}/playoffAdvancementCalculation?tournamentType=DistrictChampionship&quarterFinalWins=2&semiFinalWins=2&finalWins=0`,
        ),
      ).toBe(60);
    });
  });

  describe("refusing", () => {
    it("tells seasons, versions, events and addresses that there are not", async () => {
      const malformed = [400, "Malformed Parameter Format In Request"];
      expect(await refused("/1992")).toEqual([400, "Invalid Season Requested"]);
      expect(await refused("/99")).toEqual([400, "Invalid Season Requested"]);
      expect(await refused("/abcd/events")).toEqual([400, "Invalid Season Requested"]);
      expect(await refused("/2099/matches/MEALD")).toEqual([400, "Invalid Season Requested"]);
      expect(await refused("/2024/matches/NONESUCH")).toEqual([404, "Invalid Event Requested"]);
      expect(await refused("/2017/avatars")).toEqual([400, "Invalid Season Requested"]);
      expect(await refused("/2024/nothing")).toEqual([501, "Request Did Not Match Any Current API Pattern"]);
      expect(await refused("/2024/matches/ME")).toEqual(malformed);
      expect(await refused("/2024/teams?eventCode=M")).toEqual(malformed);
      expect(await refused("/2024/teams?eventCode=MX")).toEqual(malformed);
      expect(await refused("/2024/teams?teamNumber=12345")).toEqual(malformed);
      expect(await refused("/2024/teams?page=0")).toEqual(malformed);
      expect(await refused("/2024/events?tournamentType=Party")).toEqual(malformed);
      for (const [path, status] of [
        ["/v2.0/2024", 400],
        ["/2024", 400],
        ["/v3.1/", 400],
        ["/nothing", 501],
      ] as const)
        expect([path, (await instance().send("GET", `/robotics${path}`)).status]).toEqual([path, status]);
      const posted = await robotics.send("DELETE", "/2024/events");
      expect([posted.status, posted.body.code]).toEqual([501, 501]);
    });

    it("tells who is not let in, and why", async () => {
      const why = async (authorization?: string) => {
        const { status, body, headers } = await robotics.get("/2024", {
          as: null,
          headers: authorization === undefined ? {} : { authorization },
        });
        expect(headers.get("www-authenticate")).toMatch(/^(?:Basic|Bearer) /);
        return [status, body];
      };
      const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
      const told = (message: string) => [401, { code: 401, message }];
      expect(await why()).toEqual(told("Unable To Determine Authorization Token"));
      expect(await why("Basic !!!")).toEqual(told("Unable To Determine Authorization Token"));
      expect(await why(basic("first"))).toEqual(told("Unable To Determine Authorization Token"));
      expect(await why(basic("first:wrong"))).toEqual(told("Incorrect Token"));
      expect(await why(basic("nobody:wrong"))).toEqual(told("Username Not Found"));
      const made = await instance().bearer("POST", "/_medley/credentials", {
        body: { account: accounts.first.id, kind: "basic", username: "staff", expiresIn: "1h" },
      });
      expect(made.status, made.text).toBe(201);
      const staff = basic(`${made.body.credential.username}:${made.body.credential.password}`);
      expect((await robotics.get("/2024", { as: null, headers: { authorization: staff } })).status).toBe(200);
      await instance().clock.advance("2h");
      expect(await why(staff)).toEqual(told("Account Disabled, Contact Support"));
    });

    it("tells failures as the contract's error object, in JSON and XML", async () => {
      for (const status of [500, 503]) {
        const rules = [
          { match: { operation: "robotics.events.list" }, status, message: "asked for", count: 2 },
        ];
        expect((await instance().bearer("PUT", "/_medley/faults", { body: { rules } })).status).toBe(200);
        const { body, ...sent } = await robotics.get("/2024/events");
        expect([sent.status, body]).toEqual([
          status,
          { code: status, message: expect.stringContaining("asked for") },
        ]);
        const xml = await robotics.get("/2024/events", { headers: { accept: "application/xml" } });
        expect([xml.status, xml.text]).toEqual([status, expect.stringContaining(`<code>${status}</code>`)]);
      }
      expect((await instance().bearer("DELETE", "/_medley/faults")).status).toBe(204);
    });

    it("keeps accounts apart", async () => {
      expect((await robotics.get("/2024/events", { as: "second" })).body).toEqual({
        Events: [],
        eventCount: 0,
      });
      expect((await robotics.get("/2024/matches/MEALD", { as: "second" })).status).toBe(404);
      await robotics.put("/2024/events/MEALD", { name: "Theirs" }, { as: "second" });
      expect((await robotics.get("/2024/events?eventCode=MEALD", { as: "second" })).body.Events[0].name).toBe(
        "Theirs",
      );
      expect((await read("/2024/events?eventCode=MEALD")).Events[0].name).toBe("Alder Falls District Event");
    });
  });
});
