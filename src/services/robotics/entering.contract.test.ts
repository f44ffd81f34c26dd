/** Running an event by hand: what is entered is read at once, and the ranking follows in the same transaction. */
import { describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import { Robotics, seated } from "../../../tests/support/robotics.ts";

const TEAMS = [11, 12, 13, 14, 15, 16];

onBothDatabases("entering robotics", (instance) => {
  const robotics = new Robotics(instance);
  const read = async (path: string) => (await robotics.get(path)).body;
  const ranked = async () =>
    (await read("/2023/rankings/HALL")).Rankings.map(({ teamNumber }: { teamNumber: number }) => teamNumber);

  it("refuses districts that are not there, and alliances of teams that do not come or come twice", async () => {
    const refused = async (path: string, body: object) => {
      const { status, body: told } = await robotics.send("PUT", path, { body });
      return [status, told.message];
    };
    for (const path of ["/2022/events/LAKE", "/2022/teams/21"])
      expect(await refused(path, { name: "Lake", districtCode: "LK" })).toEqual([
        409,
        expect.stringContaining("There is no district LK in the season 2022"),
      ]);
    expect((await robotics.get("/2022/alliances/LAKE")).status).toBe(404);
    await robotics.put("/2022/districts/LK", { name: "Lakes" });
    await robotics.put("/2022/events/LAKE", { name: "Lake", districtCode: "lk" });
    await robotics.put("/2022/events/LAKE/teams", { teams: [21, 22, 23] });
    const alliance = { captain: 21, round1: 22, round2: 23 };
    expect(await refused("/2022/alliances/LAKE/1", { ...alliance, round2: 24 })).toEqual([
      409,
      expect.stringContaining("Team 24 does not come to the event LAKE"),
    ]);
    expect(await refused("/2022/alliances/LAKE/1", { ...alliance, round2: 21 })).toEqual([
      400,
      expect.stringContaining("every team once"),
    ]);
    expect(await refused("/2022/alliances/LAKE/1", { ...alliance, backupReplaced: 25 })).toEqual([
      400,
      expect.stringContaining("backupReplaced"),
    ]);
    await robotics.put("/2022/alliances/LAKE/1", alliance);
    // Of an event that nobody was entered for, nobody is missed.
    await robotics.put("/2022/events/POND", { name: "Pond" });
    await robotics.put("/2022/alliances/POND/1", alliance);
  });
  it("runs an off-season event from its first entry to its awards", async () => {
    await robotics.put("/2023", {
      gameName: "Charged Up again",
      rookieStart: 9000,
      kickoff: "2023-01-07T12:00:00Z",
    });
    await robotics.put("/2023/districts/hd", {
      name: "Hall District",
      districtChampionshipPlaces: 3,
      championshipPlaces: 1,
    });
    await robotics.put("/2023/events/hall", {
      name: "Hall Cup",
      type: "DistrictEvent",
      districtCode: "HD",
      dateStart: "2023-10-07T00:00:00",
      dateEnd: "2023-10-08T00:00:00",
    });
    for (const team of TEAMS)
      await robotics.put(`/2023/teams/${team}`, {
        nameShort: `Team ${team}`,
        districtCode: "hd",
        rookieYear: 2023,
      });
    await robotics.put("/2023/teams/11", { encodedAvatar: "iVBORw0KGgo=" });
    await robotics.put("/2023/events/HALL/teams", { teams: TEAMS });
    await robotics.put("/2023/schedule/HALL/Qualification", {
      matches: [1, 2].map((matchNumber) => ({
        matchNumber,
        startTime: `2023-10-07T09:0${matchNumber}:00`,
        teams: seated(matchNumber === 1 ? TEAMS : [11, 14, 12, 15, 13, 16]),
      })),
    });
    expect((await read("/2023/matches/HALL")).Matches).toEqual([]);
    expect((await read("/2023/schedule/HALL?tournamentLevel=Qualification")).Schedule).toHaveLength(2);

    await robotics.put("/2023/matches/HALL/Qualification/1", {
      scoreRedFinal: 10,
      scoreBlueFinal: 40,
      actualStartTime: "2023-10-07T09:01:30",
      matchVideoLink: "https://example.org/watch/1",
    });
    expect((await ranked()).slice(0, 3).sort()).toEqual([14, 15, 16]);
    await robotics.put("/2023/matches/HALL/Qualification/2", { scoreRedFinal: 90, scoreBlueFinal: 5 });
    expect((await ranked())[0]).toBe(14);
    expect(
      (await read("/2023/matches/HALL?tournamentLevel=Qualification&matchNumber=1")).Matches[0],
    ).toMatchObject({
      matchVideoLink: "https://example.org/watch/1",
      scoreBlueFinal: 40,
      scoreRedFoul: null,
    });

    await robotics.put("/2023/matches/HALL/Qualification/2", {
      scoreDetails: {
        alliances: [
          { alliance: "Red", autoPoints: 12, totalPoints: 90 },
          { alliance: "Blue", totalPoints: 5 },
        ],
      },
    });
    const { MatchScores } = await read("/2023/scores/HALL/Qualification");
    expect(MatchScores).toEqual([
      {
        matchLevel: "Qualification",
        matchNumber: 2,
        alliances: [
          { alliance: "Blue", totalPoints: 5 },
          { alliance: "Red", autoPoints: 12, totalPoints: 90 },
        ],
      },
    ]);
    await robotics.put("/2023/matches/HALL/Qualification/2", { scoreRedFinal: null, scoreBlueFinal: null });
    expect((await read("/2023/matches/HALL")).Matches).toHaveLength(1);
    await robotics.put("/2023/matches/HALL/Qualification/2", {
      scoreRedFinal: 90,
      scoreBlueFinal: 5,
      teams: [{ ...seated([11])[0], dq: true }, ...seated([11, 14, 12, 15, 13, 16]).slice(1)],
    });
    const { Rankings } = await read("/2023/rankings/HALL?teamNumber=11");
    expect([Rankings[0].dq, Rankings[0].matchesPlayed]).toEqual([1, 2]);

    await robotics.put("/2023/alliances/HALL/1", { captain: 14, round1: 12 });
    await robotics.put("/2023/alliances/HALL/2", { captain: 15, round1: 16, round2: 13, name: "The others" });
    expect(await read("/2023/alliances/HALL")).toEqual({
      Alliances: [
        {
          number: 1,
          captain: 14,
          round1: 12,
          round2: null,
          round3: null,
          backup: null,
          backupReplaced: null,
          name: "Alliance 1",
        },
        {
          number: 2,
          captain: 15,
          round1: 16,
          round2: 13,
          round3: null,
          backup: null,
          backupReplaced: null,
          name: "The others",
        },
      ],
      count: 2,
    });
    await robotics.put("/2023/awards/event/HALL/17/1", { name: "Quality Award", teamNumber: 13 });
    expect((await read("/2023/awards/list")).awards).toEqual([
      { awardId: 17, eventType: "DistrictEvent", description: "Quality Award", forPerson: false },
    ]);
    expect((await read("/2023/rankings/district?districtCode=HD")).rankingCountTotal).toBe(6);
    expect(await read("/2023")).toMatchObject({
      gameName: "Charged Up again",
      rookieStart: 9000,
      eventCount: 1,
      teamCount: 6,
    });
    expect((await read("/2023/avatars?teamNumber=11")).teams[0].encodedAvatar).toBe("iVBORw0KGgo=");
  });

  it("leaves as it is what is not named, and takes away what is", async () => {
    await robotics.put("/2023/events/HALL", { city: "Fir Valley" });
    const [event] = (await read("/2023/events?eventCode=HALL")).Events;
    expect([event.name, event.city, event.districtCode]).toEqual(["Hall Cup", "Fir Valley", "HD"]);
    await robotics.put("/2023/teams/16", { districtCode: null });
    expect((await read("/2023/teams?districtCode=HD")).teamCountTotal).toBe(5);
    await robotics.put("/2023/events/HALL/teams", { teams: [...TEAMS, 17] });
    expect((await read("/2023/teams?eventCode=HALL")).teamCountTotal).toBe(7);
    await robotics.put("/2023/events/HALL/teams", { teams: TEAMS });
    expect((await read("/2023/teams?eventCode=HALL")).teamCountTotal).toBe(6);
    const schedule = (matches: object[]) =>
      robotics.send("PUT", "/2023/schedule/HALL/Qualification", { body: { matches } });
    const kept = [1, 2].map((matchNumber) => ({ matchNumber, teams: seated(TEAMS) }));
    expect((await schedule([...kept, { matchNumber: 3 }])).status).toBe(204);
    expect((await read("/2023/schedule/HALL?tournamentLevel=Qualification")).Schedule).toHaveLength(3);
    expect((await schedule(kept)).status).toBe(204);
    expect((await read("/2023/schedule/HALL?tournamentLevel=Qualification")).Schedule).toHaveLength(2);
    const forgotten = await schedule([kept[0]!]);
    expect([forgotten.status, forgotten.body.message.split(":")[0]]).toEqual([
      409,
      "Entry Does Not Fit What Is There",
    ]);
    expect((await schedule([kept[0]!, kept[0]!])).status).toBe(400);
  });

  describe("refuses", () => {
    it.each([
      ["a season too early", "/1991", {}, 400],
      ["a season too late", "/2199", {}, 400],
      ["an event of no kind", "/2023/events/HALL", { type: "Party" }, 400],
      ["a time with a zone", "/2023/events/HALL", { dateStart: "2023-10-07T00:00:00Z" }, 400],
      ["a part of an event that is not there", "/2023/matches/NONE/Qualification/1", {}, 404],
      ["a team twice in a match", "/2023/matches/HALL/Qualification/9", { teams: seated([1, 1]) }, 400],
      [
        "a station that there is not",
        "/2023/matches/HALL/Qualification/9",
        { teams: [{ teamNumber: 1, station: "Green1" }] },
        400,
      ],
      ["a score that is no number", "/2023/matches/HALL/Qualification/9", { scoreRedFinal: "many" }, 400],
      [
        "score details of an alliance that there is not",
        "/2023/matches/HALL/Qualification/9",
        { scoreDetails: { alliances: [{ alliance: "Green" }] } },
        400,
      ],
      [
        "score details without an alliance",
        "/2023/matches/HALL/Qualification/9",
        { scoreDetails: { alliances: [null] } },
        400,
      ],
      [
        "a day that there is not",
        "/2023/matches/HALL/Qualification/9",
        { startTime: "2023-02-30T09:00:00" },
        400,
      ],
      ["a match without a number", "/2023/matches/HALL/Qualification/zero", {}, 400],
      ["a level that there is not", "/2023/matches/HALL/None/1", {}, 400],
      ["a team number of five digits", "/2023/teams/12345", {}, 400],
      ["a picture that is none", "/2023/teams/11", { encodedAvatar: "R0lGODlh" }, 400],
      ["an alliance without a captain", "/2023/alliances/HALL/1", { round1: 3 }, 400],
      ["an award without a name", "/2023/awards/event/HALL/1/1", { teamNumber: 11 }, 400],
      ["text that no database keeps", "/2023/events/HALL", { name: "a\u0000b" }, 400],
    ])("%s", async (_, path, body, status) => {
      const sent = await robotics.send("PUT", path, { body });
      expect([sent.status, sent.body.code]).toEqual([status, status]);
    });
    it("what is no JSON", async () => {
      const sent = await robotics.send("PUT", "/2023/events/HALL", {
        body: "{",
        headers: { "content-type": "application/json" },
      });
      expect([sent.status, sent.body.code]).toEqual([400, 400]);
    });
  });

  it("lets staff enter what their credential opens, and no more", async () => {
    const made = await instance().bearer("POST", "/_medley/credentials", {
      body: {
        account: accounts.first.id,
        kind: "basic",
        username: `staff-${Math.random()}`,
        scopes: ["robotics:Read*", "robotics:EnterResult"],
      },
    });
    const { username, password } = made.body.credential;
    const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
    const as = null;
    expect(
      (
        await robotics.send("PUT", "/2023/matches/HALL/Qualification/1", {
          as,
          headers,
          body: { scoreRedFinal: 11 },
        })
      ).status,
    ).toBe(204);
    expect((await robotics.get("/2023/rankings/HALL", { as, headers })).status).toBe(200);
    const refused = await robotics.send("PUT", "/2023/events/HALL", { as, headers, body: { name: "Mine" } });
    expect([refused.status, refused.body.code]).toEqual([403, 403]);
  });
});
