/** A public client of the robotics interface, `first-events-api`: every call, with only address and credentials changed. */
import { beforeAll, describe, expect, it } from "vitest";
import { load } from "../../tools/installed.mjs";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { Robotics } from "../support/robotics.ts";

type Answer = { readonly statusCode: number; readonly data: Record<string, unknown> };
type Call = (...values: unknown[]) => Promise<Answer>;
type Calls = { readonly [name: string]: Call & Calls };

let instance: Instance;
let frc: Calls;
beforeAll(async () => {
  const { default: FRC, axios } = load("robotics", "first-events-api");
  instance = await startInstance({ services: ["robotics"] });
  await new Robotics(() => instance).seed();
  const [{ username, password }] = accounts.first.basic as [{ username: string; password: string }];
  frc = FRC({ username, auth: password, season: 2024 });
  axios.defaults.baseURL = `${instance.url}/robotics/v3.0`;
  return () => instance.stop();
});

/** The client sends every parameter, empty where it has none. */
const asked: readonly [name: string, member: string, ...values: unknown[]][] = [
  ["season.getSummary", "gameName"],
  ["season.getEventListings", "Events"],
  ["season.getEventListings", "Events", undefined, 101],
  ["season.getTeamListings", "teams"],
  ["season.getTeamListings", "teams", undefined, "MEALD"],
  ["season.getDistrictsListings", "districts"],
  ["season.getTeamAvatarListings", "teams", "MEALD"],
  ["awards.getAwardsListings", "awards"],
  ["awards.getEventAwards", "Awards", "MEALD"],
  ["matches.getEventMatchResults", "Matches", "MEALD"],
  ["matches.getEventMatchResults", "Matches", "MEALD", "Qualification", undefined, 1, 3],
  ["rankings.getEventRankings", "Rankings", "MEALD"],
  ["rankings.district.getDistrictRankings", "districtRanks", "MED"],
  ["schedule.getEventSchedule", "Schedule", "MEALD", "Qualification"],
  ["alliance.getEventAlliances", "Alliances", "MEALD"],
];
const callOf = (name: string): Call => {
  let found: unknown = frc;
  for (const part of name.split(".")) found = (found as Calls)[part];
  return found as Call;
};

describe("first-events-api", () => {
  it.each(asked)("%s answers %s", async (name, member, ...values) => {
    const { statusCode, data } = await callOf(name)(...values);
    expect(statusCode).toBe(200);
    expect((data[member] as { length: number }).length).toBeGreaterThan(0);
  });
  it("answers for a team without awards, and calculates points", async () => {
    expect((await callOf("awards.getTeamAwards")(101, "MEALD")).data.Awards).toBeInstanceOf(Array);
    const points = callOf("rankings.district.calculateQualPoints");
    expect((await points("DistrictEvent", 3, 40)).data).toBe(20);
    const picked = callOf("rankings.district.calculateAlliancePoints");
    expect((await picked("DistrictEvent", "EightAlliance", 1, "Captain")).data).toBe(16);
  });
});
