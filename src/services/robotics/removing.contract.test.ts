/** Removing what was entered by mistake, who did it, and an import that brings it back. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { basicOf, Robotics, seated } from "../../../tests/support/robotics.ts";

onBothDatabases("removing from robotics", (instance) => {
  const robotics = new Robotics(instance);
  const remove = async (path: string) => (await robotics.send("DELETE", path)).status;
  const read = async (path: string) => (await robotics.get(path)).body;
  const teams = seated([1, 2, 3, 4, 5, 6]);
  const event = {
    name: "Cup",
    type: "Regional",
    dateStart: "2023-03-08T00:00:00",
    dateEnd: "2023-03-09T00:00:00",
  };
  const matches = [1, 2].map((matchNumber) => ({
    tournamentLevel: "Qualification",
    matchNumber,
    teams,
    scoreRedFinal: matchNumber,
    scoreBlueFinal: 0,
  }));
  const line = {
    kind: "event",
    season: 2023,
    eventCode: "CUP",
    event,
    teams: [1, 2, 3, 4, 5, 6, 7],
    matches,
  };

  it("takes a match out of results and ranking", async () => {
    await robotics.import([line]);
    expect((await read("/2023/rankings/CUP")).Rankings[0].matchesPlayed).toBe(2);
    expect(await remove("/2023/matches/CUP/Qualification/2")).toBe(204);
    expect((await read("/2023/matches/CUP")).Matches).toHaveLength(1);
    expect((await read("/2023/rankings/CUP")).Rankings[0].matchesPlayed).toBe(1);
    expect(await remove("/2023/matches/CUP/Qualification/2")).toBe(404);
  });
  it("takes a team that has not played out of the season, and no other", async () => {
    // A team that played cannot be removed, even if the event no longer lists it.
    await robotics.send("PUT", "/2023/events/CUP/teams", { body: { teams: [2, 3, 4, 5, 6, 7] } });
    expect(await remove("/2023/teams/1")).toBe(409);
    await robotics.send("PUT", "/2023/events/CUP/teams", { body: { teams: [1, 2, 3, 4, 5, 6, 7] } });
    expect(await remove("/2023/teams/7")).toBe(204);
    expect(await remove("/2023/teams/7")).toBe(404);
    expect((await read("/2023/teams?eventCode=CUP")).teams).toHaveLength(6);
    expect((await read("/2023")).teamCount).toBe(6);
  });
  it("takes an event away with all that belongs to it, and an import brings it back", async () => {
    const before = await robotics.get("/2023/matches/CUP");
    expect(await remove("/2023/events/cup")).toBe(204);
    expect(await remove("/2023/events/CUP")).toBe(404);
    expect((await robotics.get("/2023/matches/CUP")).status).toBe(404);
    expect((await read("/2023")).eventCount).toBe(0);
    await robotics.import([line]);
    const again = await robotics.get("/2023/matches/CUP", {
      headers: { "If-Modified-Since": before.headers.get("last-modified")! },
    });
    expect([again.status, again.body.Matches?.length]).toEqual([200, 2]);
    expect((await read("/2023/events")).Events[0].weekNumber).toBe(1);
  });
  it("tells who removed what", async () => {
    const { removals, removalCountTotal } = await read("/2023/removals");
    expect(removals.map(({ removed, name }: any) => [removed, name])).toEqual([
      ["event", "CUP"],
      ["team", "7"],
      ["match", "CUP/Qualification/2"],
    ]);
    expect([removalCountTotal, removals[0].removedBy]).toEqual([3, expect.stringMatching(/./)]);
    expect((await robotics.get("/2023/removals", { as: "second" })).body.removals).toEqual([]);
    const xml = await robotics.get("/2023/removals", {
      headers: { accept: "application/xml", authorization: basicOf("first") },
    });
    expect(xml.text).toContain("<removal>");
  });
});
