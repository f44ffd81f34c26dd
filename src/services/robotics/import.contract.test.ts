/** Much at once: the archive's layout, answers that were saved, what is refused, and all of it again after a restart. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { medley } from "../../../tests/support/command-line.ts";
import { onBothDatabases, startInstance } from "../../../tests/support/medley.ts";
import { Robotics } from "../../../tests/support/robotics.ts";
import { archivedEventOf, archivedTeamsOf } from "./domain/archive.ts";
import { savedAnswerOf } from "./domain/saved-answers.ts";

const archive: Readonly<Record<string, string>> = {
  "teams/teams.csv":
    'frc254,The Poofs,"NASA, Ames & Bellarmine",San Jose,CA,USA,http://example.org,1999,,\r\nfrc9,Nine,,,,,,,,\r\nnobody,x\r\n',
  "events/2008/2008xy/2008xy_teams.csv": "frc254,frc9,frc3,frc4\r\n",
  "events/2008/2008xy/2008xy_matches.csv":
    "2008xy_qm1,frc254,frc9,,frc3,frc4,,10,4\r\n2008xy_qm2,frc254,frc3,,frc9,frc4B,,-1,-1\r\n2008xy_qm3,frc3,frc9,,frc254,frc4,,7,7\r\n2008xy_qm3,frc3,frc9,,frc254,frc4,,8,7\r\n2008xy_f1m1,frc254*,frc9,,frc3,frc4(DQ),,9,1\r\nodd,line\r\n",
  "events/2008/2008xy/2008xy_alliances.csv": "frc254,frc9\r\nfrc3,frc4\r\n",
  "events/2008/2008xy/2008xy_awards.csv":
    '2008xy_1,Regional Winners,frc254,\r\n2008xy_1,Regional Winners,frc9,\r\n2008xy_5,Volunteer of the Year,,"Ann ""Bolt"" Example"\r\n',
  "events/2008/2008xy/2008xy_rankings.csv":
    "Rank,Team,Wins,Losses,Ties,Played,QS\r\n1,254,2,0,0,2,4\r\n2,9,1,1,0,2,2\r\n3,254,0,2,0,2,0\r\n",
  "notes.txt": "nothing to read",
};
const EVENT = "events/2008/2008xy/2008xy";
const files = Object.fromEntries(
  (["teams", "matches", "alliances", "awards", "rankings"] as const).map((kind) => [
    kind,
    { name: `2008xy_${kind}.csv`, text: archive[`${EVENT}_${kind}.csv`]! },
  ]),
);
const archiveLines = [
  { kind: "teams", season: 0, teams: archivedTeamsOf("teams.csv", archive["teams/teams.csv"]!).value },
  { kind: "event", ...archivedEventOf("2008xy", files).value },
];

describe("the archive's files", () => {
  it("have matches of one to eight robots", () => {
    const textOf = (robots: number) =>
      `${["2008xy_qm1", ...Array.from({ length: robots }, (_, index) => `frc${index + 1}`), 10, 4]}\r\n`;
    const readMatches = (robots: number) =>
      archivedEventOf("2008xy", { matches: { name: "m.csv", text: textOf(robots) } });
    for (const robots of [1, 8]) expect(readMatches(robots).findings).toEqual([]);
    for (const robots of [0, 9])
      expect(readMatches(robots).findings).toEqual([
        { file: "m.csv", line: 1, says: `a match of ${robots + 3} fields` },
      ]);
  });
  it("are understood, and what is not is told by file and line", () => {
    const { lines, findings } = archivedEventOf("2008xy", files);
    expect([lines, findings]).toEqual([
      16,
      [
        { file: "2008xy_matches.csv", line: 4, says: expect.stringContaining("played before") },
        { file: "2008xy_matches.csv", line: 6, says: '"odd" is no match' },
        { file: "2008xy_rankings.csv", line: 4, says: '"254" is ranked before: this row is left out' },
      ],
    ]);
    expect(archivedTeamsOf("teams.csv", archive["teams/teams.csv"]!)).toMatchObject({
      lines: 3,
      findings: [{ line: 3, says: '"nobody" is no team' }],
    });
    expect(archivedEventOf("nonsense", {}).findings).toHaveLength(1);
  });
  it("are told of once a row, with all its cells", () => {
    const text = "2008xy_qm1,one,frc9,two,frc3,three,,10,4\r\n2008xy_qm2,four,frc3,,frc9,,,1,2\r\n";
    const { findings } = archivedEventOf("2008xy", { matches: { name: "m.csv", text } });
    expect(findings).toEqual([
      { file: "m.csv", line: 1, says: '"one" is no team; "two" is no team; "three" is no team' },
      { file: "m.csv", line: 2, says: '"four" is no team' },
    ]);
    const teams = archivedEventOf("2008xy", { teams: { name: "t.csv", text: "a,frc1,b\r\nc\r\n" } });
    expect(teams.findings.map(({ line }) => line)).toEqual([1, 2]);
  });
  it("take a match of one team, and give every playoff match of 2015 a number of its own", () => {
    const keys = ["ef1m1", "ef1m19", "qf1m1", "qf1m8", "sf1m6", "f1m1", "f1m3", "qm1"];
    const text = keys.map((key) => `2015bc_${key},frc1,-1,-1`).join("\n");
    const { value, findings } = archivedEventOf("2015bc", { matches: { name: "2015bc_matches.csv", text } });
    expect(findings).toEqual([]);
    expect(value!.matches!.map(({ matchNumber }) => matchNumber)).toEqual([41, 59, 1, 8, 14, 15, 17, 1]);
  });
});

onBothDatabases("importing robotics", (instance) => {
  const robotics = new Robotics(instance);
  const read = async (path: string, as: "first" | "second" = "first") => {
    const { status, body, text } = await robotics.get(path, { as });
    expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
    return body;
  };

  it("enters an old season with its quirks, and the same again changes nothing", async () => {
    const entered = await robotics.import(archiveLines);
    expect(entered.body).toEqual({
      lines: 2,
      events: 1,
      matches: 4,
      teams: 2,
      refusedLines: 0,
      refusedEntries: 0,
      refusals: [],
    });
    const { Matches } = await read("/2008/matches/XY");
    expect(
      Matches.map(({ tournamentLevel, matchNumber, scoreRedFinal, scoreBlueFinal }: any) => [
        tournamentLevel,
        matchNumber,
        scoreRedFinal,
        scoreBlueFinal,
      ]),
    ).toEqual([
      ["Qualification", 1, 10, 4],
      ["Qualification", 3, 8, 7],
      ["Playoff", 19, 9, 1],
    ]);
    expect(Matches[2].teams).toEqual([
      { teamNumber: 254, station: "Red1", dq: false },
      { teamNumber: 9, station: "Red2", dq: false },
      { teamNumber: 3, station: "Blue1", dq: false },
      { teamNumber: 4, station: "Blue2", dq: true },
    ]);
    const { Schedule } = await read("/2008/schedule/XY?tournamentLevel=Qualification");
    expect(Schedule).toHaveLength(3);
    const labelled = Schedule[1].teams[3].teamNumber;
    expect((await read(`/2008/teams?teamNumber=${labelled}`)).teams[0].nameShort).toBe("Team 4B");
    expect((await read("/2008/teams?teamNumber=254")).teams[0]).toMatchObject({
      nameShort: "The Poofs",
      schoolName: "Bellarmine",
      rookieYear: 1999,
    });
    expect((await read("/2008/awards/event/XY")).Awards[2]).toMatchObject({
      person: 'Ann "Bolt" Example',
      series: 1,
    });
    expect((await read("/2008/events")).Events[0]).toMatchObject({
      code: "XY",
      type: "Regional",
      dateStart: null,
    });
    expect((await read("/2008/rankings/XY?top=1")).Rankings[0]).toMatchObject({
      teamNumber: expect.any(Number),
      rank: 1,
    });
    const paths = [
      "/2008",
      "/2008/events",
      "/2008/teams",
      "/2008/matches/XY",
      "/2008/rankings/XY",
      "/2008/awards/list",
    ];
    const dates = async () =>
      Promise.all(paths.map(async (path) => (await robotics.get(path)).headers.get("last-modified")));
    await instance().clock.advance("1h");
    const before = await dates();
    await robotics.import(archiveLines);
    expect(await dates()).toEqual(before);
  });

  it("keeps a published ranking until a result is entered by hand, which makes it a computed one", async () => {
    const ranking = async () => {
      const { Rankings, rankingSource } = await read("/2008/rankings/XY");
      return [
        rankingSource,
        Rankings.map(({ teamNumber, wins, sortOrder1 }: any) => [teamNumber, wins, sortOrder1]),
      ];
    };
    const published = [
      "published",
      [
        [254, 2, 4],
        [9, 1, 2],
      ],
    ];
    expect(await ranking()).toEqual(published);
    await robotics.put("/2008/matches/XY/Playoff/20", { teams: [{ teamNumber: 9, station: "Red1" }] });
    const { matches, ...rest } = archiveLines[1] as any;
    await robotics.import([
      { ...rest, rankings: undefined, matches: [{ ...matches[0], scoreRedFinal: 11 }] },
    ]);
    expect(await ranking()).toEqual(published);
    await robotics.put("/2008/matches/XY/Qualification/1", { scoreRedFinal: 10, scoreBlueFinal: 4 });
    const [source, rows] = await ranking();
    expect([source, rows.length]).toEqual(["computed", 4]);
    await robotics.import([archiveLines[1]!]);
    expect(await ranking()).toEqual(published);
  });

  it("tells a team's name to the seasons that follow the register", async () => {
    const line = { kind: "teams", season: 0, teams: [{ teamNumber: 9, nameShort: "Nine Lives" }] };
    await robotics.import([line]);
    expect((await read("/2008/teams?teamNumber=9")).teams[0].nameShort).toBe("Nine Lives");
    await robotics.put("/2008/teams/9", { nameShort: "Own" });
    await robotics.import([{ ...line, teams: [{ teamNumber: 9, nameShort: "Nine Tails" }] }]);
    expect((await read("/2008/teams?teamNumber=9")).teams[0].nameShort).toBe("Own");
  });

  it("enters answers that were saved so that another account answers the same", async () => {
    await robotics.seed();
    const at = ["MEALD", "MECMP", "MEOFF"];
    const saved = [
      "/2024",
      "/2024/districts",
      "/2024/teams",
      "/2024/avatars",
      "/2024/events",
      "/2024/awards/list",
      ...at.flatMap((code) => [
        `/2024/schedule/${code}?tournamentLevel=Qualification`,
        `/2024/schedule/${code}?tournamentLevel=Playoff`,
        `/2024/matches/${code}`,
        `/2024/scores/${code}/Qualification`,
        `/2024/scores/${code}/Playoff`,
        `/2024/rankings/${code}`,
        `/2024/alliances/${code}`,
        `/2024/awards/event/${code}`,
      ]),
    ];
    const lines: object[] = [];
    for (const path of saved) {
      const { value, findings } = savedAnswerOf(`saved${path}.json`, await read(path));
      expect([path, findings.filter(({ says }) => !/empty/.test(says))]).toEqual([path, []]);
      lines.push(...value);
    }
    const entered = await robotics.import(lines, { as: "second" });
    expect(entered.body).toMatchObject({ refusedLines: 0, refusals: [] });
    for (const path of saved.filter((one) => one !== "/2024"))
      expect([path, withoutIds(await read(path, "second"))]).toEqual([path, withoutIds(await read(path))]);
    expect(await read("/2024", "second")).toMatchObject({
      eventCount: 6,
      teamCount: 48,
      gameName: "Crescendo",
    });
  });

  it("leaves out lines that do not fit, and says which", async () => {
    const { status, body } = await robotics.import([
      { kind: "party", season: 2024 },
      { kind: "event", season: 1980, eventCode: "OLD" },
      { kind: "event", season: 2024, eventCode: "GOOD" },
      { kind: "event", season: 2024, eventCode: "BAD", event: { name: 7 } },
    ]);
    expect([
      status,
      body.lines,
      body.events,
      body.refusals.map(({ line }: { line: number }) => line),
    ]).toEqual([200, 4, 1, [1, 2, 4]]);
    const odd = await robotics.send("POST", "/import", {
      body: '{\nnot JSON\n\u0000\n\n[]\n{"kind":"event","season":2024,"eventCode":"NUL","event":{"name":"\\u0000"}}',
    });
    expect([odd.status, odd.body.refusedLines]).toEqual([200, 5]);
    expect((await robotics.import([], { as: null })).status).toBe(401);
  });
  it("names the first thousand lines and entries that it refuses, and counts the others", async () => {
    const refusedBy = async (entries: number) => {
      const wrong = Array.from({ length: entries }, () => ({ matchNumber: "none" }));
      const { body } = await robotics.import([
        { kind: "party" },
        { kind: "event", season: 2024, eventCode: "LONG", matches: wrong },
      ]);
      return [body.refusedLines, body.refusedEntries, body.refusals.length];
    };
    expect(await refusedBy(999)).toEqual([1, 999, 1000]);
    expect(await refusedBy(1000)).toEqual([1, 1000, 1000]);
  });
});

onBothDatabases("entries of an import that cannot be taken", (instance) => {
  const robotics = new Robotics(instance);
  it("are told by their place, and the rest of their line comes in", async () => {
    const row = { wins: 1, losses: 0, ties: 0, dq: 0, matchesPlayed: 1, qualAverage: 0 };
    const orders = Object.fromEntries([1, 2, 3, 4, 5, 6].map((order) => [`sortOrder${order}`, 0]));
    const rankings = [9999, 8, 9999].map((teamNumber, at) => ({
      rank: at + 1,
      teamNumber,
      ...orders,
      ...row,
    }));
    const match = { tournamentLevel: "Qualification", matchNumber: 1, scoreRedFinal: 3, scoreBlueFinal: 2 };
    const matches = [
      { tournamentLevel: "Qualification", scoreRedFinal: "many" },
      { ...match, teams: [{ teamNumber: 8, station: "Red1" }] },
    ];
    const { status, body } = await robotics.import([
      { kind: "event", season: 2016, eventCode: "TWICE", rankings, matches },
    ]);
    expect([status, body.events, body.refusedLines, body.refusedEntries]).toEqual([200, 1, 0, 2]);
    expect(body.refusals.map(({ part, index }: any) => [part, index]).sort()).toEqual([
      ["matches", 0],
      ["rankings", 2],
    ]);
    const { says } = body.refusals.find(({ part }: any) => part === "matches");
    for (const member of ["matchNumber", "scoreRedFinal"]) expect(says).toContain(member);
    const { Rankings } = (await robotics.get("/2016/rankings/TWICE")).body;
    expect(Rankings.map(({ teamNumber }: any) => teamNumber)).toEqual([9999, 8]);
    expect((await robotics.get("/2016/matches/TWICE")).body.Matches).toHaveLength(1);
  });
});

/** Numbers of events are each account's own. */
const withoutIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === "eventId" ? undefined : value)));

describe("medley robotics import", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "robotics-"));
    for (const [name, text] of Object.entries(archive)) {
      await mkdir(dirname(join(folder, "archive", name)), { recursive: true });
      await writeFile(join(folder, "archive", name), text);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("reads a folder, says what it did not understand, and what it entered outlives a restart", async () => {
    const data = join(folder, "data");
    const run = () => medley("robotics", "import", join(folder, "archive"), "--data", data);
    const first = await run();
    expect([first.code, first.errors]).toEqual([0, ""]);
    expect(first.output).toContain("19 rows read from 2 sources: 1 times an event, 4 matches, 2 teams");
    expect(first.output).toContain('2008xy_matches.csv:6: "odd" is no match');
    expect(first.output).toContain("files of other kinds (1): notes.txt");
    expect((await run()).output).toBe(first.output);
    const namesWith = async (more: number) => {
      await writeFile(join(folder, "archive", `notes${more}.txt`), "");
      return /files of other kinds \(\d+\): (.*)$/m.exec((await run()).output)?.[1]?.split(", ");
    };
    for (let more = 1; more < 9; more += 1) await writeFile(join(folder, "archive", `notes${more}.txt`), "");
    const [ten = [], eleven = []] = [await namesWith(9), await namesWith(10)];
    expect([ten.length, ten.at(-1), eleven.length, eleven.at(-1)]).toEqual([10, "notes9.txt", 11, "…"]);
    const saved = join(folder, "2008", "matches");
    await mkdir(saved, { recursive: true });
    await writeFile(
      join(saved, "NEW.json"),
      JSON.stringify({
        Matches: [
          {
            tournamentLevel: "Qualification",
            matchNumber: 1,
            scoreRedFinal: 1,
            scoreBlueFinal: 2,
            teams: [{ teamNumber: 9, station: "Red1" }],
          },
        ],
      }),
    );
    expect((await medley("robotics", "import", join(saved, "NEW.json"), "--data", data)).output).toContain(
      "1 matches",
    );

    const answers: unknown[] = [];
    for (let start = 0; start < 2; start += 1) {
      const instance = await startInstance({ data, credentialsFile: undefined });
      const [{ username, password }] = instance.medley.credentials.accounts[0]!.basic as [
        { username: string; password: string },
      ];
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      const robotics = new Robotics(() => instance);
      const { body, headers } = await robotics.get("/2008/matches/XY", {
        as: null,
        headers: { authorization },
      });
      answers.push([body, headers.get("last-modified")]);
      expect(
        (await robotics.get("/2008/matches/new", { as: null, headers: { authorization } })).body.Matches,
      ).toHaveLength(1);
      const again = { authorization, "If-Modified-Since": headers.get("last-modified")! };
      expect((await robotics.get("/2008/matches/XY", { as: null, headers: again })).status).toBe(304);
      await instance.stop();
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  it("lists each of very many rows that it does not understand", async () => {
    const place = join(folder, "odd");
    await mkdir(place);
    await writeFile(join(place, "2008xy_teams.csv"), "x\n".repeat(150_000));
    const { output, errors } = await medley("robotics", "import", place, "--data", join(folder, "data"));
    expect(errors).toBe("");
    expect(output.match(/2008xy_teams\.csv:\d+: "x" is no team/g)).toHaveLength(150_000);
  });

  it("says in a line what is wrong", async () => {
    for (const words of [
      ["robotics"],
      ["robotics", "export"],
      ["robotics", "import", join(folder, "nowhere")],
    ]) {
      const { code, errors } = await medley(...words, "--data", join(folder, "data"));
      expect([words, code > 0, errors.trim().split("\n").length <= 3]).toEqual([words, true, true]);
    }
  });
});
