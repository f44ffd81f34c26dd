/** An event run live, on both databases: a schedule is made, results come in, the page and its stream tell of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import {
  accounts,
  createDatabase,
  type Instance,
  onBothDatabases,
  startInstance,
} from "../../../tests/support/medley.ts";
import { Robotics } from "../../../tests/support/robotics.ts";
import { RoboticsEvent } from "../../../tests/support/robotics-event.ts";

/** Listens to a stream; `versions` grows as it is told. */
async function listen(instance: Instance, path: string) {
  const controller = new AbortController();
  const response = await fetch(`${instance.url}${path}/stream`, { signal: controller.signal });
  const versions: string[] = [];
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      versions.splice(
        0,
        versions.length,
        ...[...text.matchAll(/event: version\ndata: (\S+)\n\n/g)].map(([, one = ""]) => one),
      );
    }
  })().catch(() => {});
  return {
    response,
    versions,
    stop: async () => {
      controller.abort();
      await reading;
    },
  };
}

onBothDatabases("robotics, live", (instance) => {
  const robotics = new Robotics(instance);
  const event = new RoboticsEvent(robotics);
  const page = async (path = event.livePath) => instance().send("GET", path);
  beforeAll(() => event.enter());

  describe("a schedule that Medley makes", () => {
    const refused = async (
      level: string,
      body: object,
      code = event.code,
      as: "first" | "second" = "first",
    ) => {
      const sent = await robotics.send("PUT", `/${event.season}/schedule/${code}/${level}/generated`, {
        body,
        as,
      });
      return [sent.status, sent.body.message];
    };
    it("is balanced, timed and entered", async () => {
      const { matchesEntered, figures } = await event.generate("Qualification", {
        matchesPerTeam: 6,
        startTime: "2025-03-01T23:50:00",
        minutesPerMatch: 7,
        effort: 0.5,
        seed: 3,
      });
      expect(matchesEntered).toBe(24);
      expect(figures).toMatchObject({ matches: 24, surrogates: 0, partners: { most: expect.any(Number) } });
      expect(figures.gapLeast).toBeGreaterThanOrEqual(2);
      const schedule = (await robotics.get(`/2025/schedule/LIVE?tournamentLevel=Qualification`)).body
        .Schedule;
      expect(schedule.slice(0, 3).map((match: { startTime: string }) => match.startTime)).toEqual([
        "2025-03-01T23:50:00",
        "2025-03-01T23:57:00",
        "2025-03-02T00:04:00",
      ]);
      expect(schedule[0].teams).toHaveLength(6);
      expect(schedule[0].description).toBe("Qualification 1");
    });
    it("is the same for the same seed, and takes the place of the one before", async () => {
      const wishes = { matchesPerTeam: 5, effort: 0.2, seed: 9 };
      await event.generate("Practice", wishes);
      const first = await event.schedule("Practice");
      await event.generate("Practice", { ...wishes, matchesPerTeam: 2 });
      expect(await event.schedule("Practice")).toHaveLength(8);
      await event.generate("Practice", wishes);
      expect(await event.schedule("Practice")).toEqual(first);
    });
    it("has surrogates where rounds do not fill the matches", async () => {
      const odd = new RoboticsEvent(robotics, { code: "ODDS", teams: 13 });
      await odd.enter();
      const { figures } = await odd.generate("Qualification", { matchesPerTeam: 4, effort: 0.2 });
      expect(figures.surrogates).toBe(2);
      const all = await robotics.get("/2025/schedule/ODDS?tournamentLevel=Qualification");
      const surrogates = all.body.Schedule.flatMap((match: { teams: { surrogate: boolean }[] }) =>
        match.teams.filter(({ surrogate }) => surrogate),
      );
      expect(surrogates).toHaveLength(2);
    });
    it("is refused where it cannot be made", async () => {
      expect(await refused("Qualification", {})).toEqual([400, expect.stringContaining("matchesPerTeam")]);
      expect(await refused("Qualification", { matchesPerTeam: 99 })).toEqual([400, expect.any(String)]);
      expect(await refused("Qualification", { matchesPerTeam: 4, startTime: "soon" })).toEqual([
        400,
        expect.any(String),
      ]);
      expect(await refused("Qualification", { matchesPerTeam: 4, effort: 0 })).toEqual([
        400,
        expect.any(String),
      ]);
      expect(await refused("Qualification", { matchesPerTeam: 4 }, "NONE")).toEqual([
        404,
        expect.any(String),
      ]);
      expect(await refused("Qualification", { matchesPerTeam: 4 }, event.code, "second")).toEqual([
        404,
        expect.any(String),
      ]);
      expect(await refused("Playoff", {})).toEqual([409, expect.stringContaining("no alliances")]);
      const few = new RoboticsEvent(robotics, { code: "FEW", teams: 5 });
      await few.enter();
      expect(await refused("Qualification", { matchesPerTeam: 4 }, "FEW")).toEqual([
        409,
        expect.stringContaining("too few"),
      ]);
    });
  });

  it("tells of every result on the page and by the stream", async () => {
    const { response, versions, stop } = await listen(instance(), event.livePath);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    await eventually(() => versions.length === 1, "the first version");
    expect((await page()).text).toContain(`data-version="${versions[0]}"`);
    const [first, ...others] = await event.schedule("Qualification");
    await event.enterResult("Qualification", first?.matchNumber ?? 0, 111, 99);
    await eventually(() => versions.length === 2, "a new version");
    const shown = (await page()).text;
    expect(shown).toContain(`data-version="${versions[1]}"`);
    expect(shown).toContain("Qualification 1: red 111, blue 99.");
    for (const match of others) await event.play("Qualification", match);
    const last = versions.length;
    await stop();
    expect(last).toBeGreaterThan(2);
    const sent = await robotics.send("PUT", "/2025/schedule/LIVE/Qualification/generated", {
      body: { matchesPerTeam: 2 },
    });
    expect([sent.status, sent.body.message]).toEqual([409, expect.stringContaining("has a result")]);
  });

  it("puts playoffs on the schedule as the bracket has them, until there is a champion", async () => {
    await event.chooseAlliances();
    expect((await page()).text).toContain("Alliance 8");
    const rounds: number[] = [];
    for (let played = await event.playNext(); played > 0; played = await event.playNext())
      rounds.push(played);
    expect(rounds.slice(0, 2)).toEqual([4, 4]);
    const { body } = await robotics.get("/2025/bracket/LIVE");
    expect(body).toMatchObject({ kind: "doubleElimination", champion: expect.any(Number), pending: [] });
    const shown = (await page()).text;
    expect(shown).toContain(`Alliance ${body.champion} – champions`);
    expect(shown).toContain("<svg");
    expect(shown).toContain("won by alliance");
  });

  it("is protected as pages are, and escapes what it shows", async () => {
    const hostile = new RoboticsEvent(robotics, { code: "HOSTILE", teams: 6 });
    await hostile.enter(`<script>alert("x")</script>`);
    await robotics.put("/2025/teams/201", { nameShort: `"><img src=x>` });
    await hostile.generate("Qualification", { matchesPerTeam: 1, effort: 0.1 });
    await hostile.enterResult("Qualification", 1, 3, 2);
    const { text, headers, status } = await page(hostile.livePath);
    expect(status).toBe(200);
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("<img");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-type")).toContain("text/html");
  });

  it("opens no more streams than one address may have, and others when some are closed", async () => {
    const leaving = new AbortController();
    const open = (signal: AbortSignal) => fetch(`${instance().url}${event.livePath}/stream`, { signal });
    // Held on to: an answer that nobody looks at any more is closed with what it is read from.
    const opened = await Promise.all(Array.from({ length: 510 }, () => open(leaving.signal)));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(500);
    expect(opened.filter(({ status }) => status === 429)).toHaveLength(10);
    leaving.abort();
    await eventually(async () => {
      const another = new AbortController();
      const { status } = await open(another.signal);
      another.abort();
      return status === 200;
    }, "room for another");
  });

  it("knows only events that are there", async () => {
    const nothing = await page(`/robotics/live/${accounts.first.id}/2025/NONESUCH`);
    expect([nothing.status, nothing.headers.get("content-type")]).toEqual([
      404,
      expect.stringContaining("text/html"),
    ]);
    expect((await page(`/robotics/live/${accounts.second.id}/2025/LIVE`)).status).toBe(404);
    expect((await page(`/robotics/live/${accounts.second.id}/2025/LIVE/stream`)).status).toBe(404);
    expect((await page("/robotics/live/nobody/2025/LIVE")).status).toBe(400);
    expect((await page(`/robotics/live/${accounts.first.id}/25/LIVE`)).status).toBe(400);
    expect((await instance().send("HEAD", `${event.livePath}/stream`)).status).toBe(200);
    expect((await page(event.livePath.toLowerCase())).status).toBe(200);
  });
});

it("robotics, live, tells on one node what is entered on another", async () => {
  const database = await createDatabase();
  const [here, there] = [await startInstance({ database }), await startInstance({ database })] as const;
  const event = new RoboticsEvent(new Robotics(() => there), { teams: 6 });
  await event.enter();
  await event.generate("Qualification", { matchesPerTeam: 1, effort: 0.1 });
  const { versions, stop } = await listen(here, event.livePath);
  await eventually(() => versions.length === 1, "the first version");
  await event.enterResult("Qualification", 1, 7, 5);
  await eventually(() => versions.length > 1, "a version of the other node's");
  expect((await here.send("GET", event.livePath)).text).toContain("red 7, blue 5.");
  await stop();
  await Promise.all([here.stop(), there.stop()]);
});
