/** A district's standings while they change: what is new of them, and pages that one caller reads one after another. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { Robotics } from "../../../tests/support/robotics.ts";

const PAGE_SIZE = 65;
const TEAMS = 130;
const FIRST_TEAM = 100;

onBothDatabases("robotics standings", (instance) => {
  const robotics = new Robotics(instance);
  const STANDINGS = "/2019/rankings/district?districtCode=LD";
  const ask = (page = 1, headers: Record<string, string> = {}) =>
    robotics.get(`${STANDINGS}&page=${page}`, { headers });
  const numbersOf = ({ body }: { body: any }): number[] =>
    body.districtRanks.map(({ teamNumber }: { teamNumber: number }) => teamNumber);
  /** Dates that are told are never ahead of the clock, which may stand in the second of the change before. */
  const adjust = async (team: number, adjustmentPoints: number) => {
    await robotics.put(`/2019/teams/${team}`, { adjustmentPoints });
    await instance().clock.advance("2s");
  };

  it("begin with a long district", async () => {
    const teams = Array.from({ length: TEAMS }, (_, index) => ({
      teamNumber: FIRST_TEAM + index,
      districtCode: "LD",
      rookieYear: 2000,
      adjustmentPoints: TEAMS - index,
    }));
    const entered = await robotics.import([
      { kind: "districts", season: 2019, districts: [{ code: "LD", name: "Long District" }] },
      { kind: "teams", season: 2019, teams },
    ]);
    expect(entered.body).toMatchObject({ refusedLines: 0 });
    await instance().clock.advance("2s");
    expect((await ask()).body).toMatchObject({ rankingCountTotal: TEAMS, pageTotal: 2 });
  });
  it("tell only the ranks that have changed", async () => {
    const seen = (await ask()).headers.get("last-modified")!;
    await adjust(FIRST_TEAM, TEAMS + 7);
    const changed = await robotics.get(STANDINGS, { headers: { "FMS-OnlyModifiedSince": seen } });
    expect(changed.body).toMatchObject({
      districtRanks: [{ teamNumber: FIRST_TEAM, rank: 1, totalPoints: TEAMS + 7 }],
      rankingCountTotal: 1,
    });
    const now = (await ask()).headers.get("last-modified")!;
    expect((await robotics.get(STANDINGS, { headers: { "FMS-OnlyModifiedSince": now } })).status).toBe(304);
    // From fifth to third: two others make way.
    await adjust(FIRST_TEAM + 4, TEAMS - 1);
    const moved = await robotics.get(STANDINGS, { headers: { "FMS-OnlyModifiedSince": now } });
    expect(numbersOf(moved).sort()).toEqual([FIRST_TEAM + 2, FIRST_TEAM + 3, FIRST_TEAM + 4]);
    // Who has seen nothing since long before is told everything.
    const all = await robotics.get(STANDINGS, {
      headers: { "FMS-OnlyModifiedSince": "Thu, 01 Jan 1998 00:00:00 GMT" },
    });
    expect(all.body.rankingCountTotal).toBe(TEAMS);
  });
  it("page as they were when the first page was read, until it is read again", async () => {
    const first = await ask(1);
    const last = FIRST_TEAM + TEAMS - 1;
    await adjust(last, 500);
    const second = await ask(2);
    const read = [...numbersOf(first), ...numbersOf(second)];
    expect(read).toHaveLength(TEAMS);
    expect(new Set(read).size).toBe(TEAMS);
    expect(second.headers.get("last-modified")).toBe(first.headers.get("last-modified"));
    const again = await ask(1);
    expect(numbersOf(again)[0]).toBe(last);
    expect(numbersOf(await ask(2))).toHaveLength(PAGE_SIZE);
    expect(new Set([...numbersOf(again), ...numbersOf(await ask(2))]).size).toBe(TEAMS);
  });
  it("are the latest again when the first page was read long ago", async () => {
    await ask(1);
    await adjust(FIRST_TEAM + TEAMS - 2, 600);
    await instance().clock.advance("10m");
    expect(numbersOf(await ask(2))).not.toContain(FIRST_TEAM + TEAMS - 2);
  });
});
