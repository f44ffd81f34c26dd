/** A newsroom's day over HTTP: an OAuth library gets the token, a feed library reads the feed, an archive is unpacked and compared. */
import * as oidc from "openid-client";
import RssParser from "rss-parser";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import yauzl from "yauzl";
import { asToken, BASE, openNewsroom } from "../support/contributions.ts";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const TOWNS = [
  { name: "Lyon", latitude: 45.76, longitude: 4.84, country: "FR" },
  { name: "Wien", latitude: 48.21, longitude: 16.37, country: "AT" },
  { name: "Nagoya", latitude: 35.18, longitude: 136.9, country: "JP" },
  { name: "Taveuni", latitude: -16.85, longitude: -179.97, country: "FJ" },
] as const;
const COUNT = 20;

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["identity", "contributions"] });
});
afterAll(() => instance.stop());

const degrees = (value: number): string => {
  const seconds = Math.round(Math.abs(value) * 3600 * 100);
  return `${Math.floor(seconds / 360_000)}/1 ${Math.floor(seconds / 6000) % 60}/1 ${seconds % 6000}/100`;
};
/** As a camera writes it: with where it was taken. */
const photograph = (at: { latitude: number; longitude: number }, shade: number): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: { r: shade, g: 120, b: 200 } } })
    .withExif({
      IFD0: { Make: "Camera" },
      IFD3: {
        GPSLatitudeRef: at.latitude < 0 ? "S" : "N",
        GPSLatitude: degrees(at.latitude),
        GPSLongitudeRef: at.longitude < 0 ? "W" : "E",
        GPSLongitude: degrees(at.longitude),
      },
    })
    .jpeg()
    .toBuffer();

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const archive = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(bytes, { lazyEntries: false, autoClose: false }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  const reading: Promise<void>[] = [];
  await new Promise<void>((resolve, reject) => {
    archive.on("error", reject);
    archive.on("end", () => resolve());
    archive.on("entry", (entry: yauzl.Entry) =>
      reading.push(
        new Promise((read, failed) =>
          archive.openReadStream(entry, async (error, stream) => {
            if (error) return failed(error);
            const parts: Buffer[] = [];
            for await (const part of stream) parts.push(part as Buffer);
            files.set(entry.fileName, Buffer.concat(parts));
            read();
          }),
        ),
      ),
    );
  });
  await Promise.all(reading);
  return files;
}

it("collects twenty pictures, moderates, finds, feeds, exports and deletes them", async () => {
  const { client, bob, stranger } = await openNewsroom(instance);
  const server = { issuer: `${instance.url}/identity`, token_endpoint: `${instance.url}${BASE}/token` };
  const configuration = new oidc.Configuration(server, client.id, client.secret);
  oidc.allowInsecureRequests(configuration);
  const granted = await oidc.genericGrantRequest(configuration, "password", {
    username: "ann@example.org",
    password: "ann-password-1",
    scope: "full",
  });
  expect([granted.token_type, granted.scope]).toEqual(["bearer", "full"]);
  const editor = asToken(instance, granted.access_token);
  const ok = async (sent: ReturnType<typeof editor.send>, status = 200) => {
    const answered = await sent;
    expect(answered.status, answered.text).toBe(status);
    return answered.body;
  };

  const form = await ok(
    editor.send("POST", "/forms", {
      name: "Contact",
      fields: [{ name: "phone", type: "telephone", required: true }],
    }),
  );
  const assignment = await ok(
    editor.send("POST", "/assignments", { name: "Floods & rivers", form: form.id, locationPrecision: 5 }),
  );
  const sent: { id: string; picture: Buffer; town: (typeof TOWNS)[number] }[] = [];
  for (let number = 0; number < COUNT; number += 1) {
    const town = TOWNS[number % TOWNS.length] as (typeof TOWNS)[number];
    const picture = await photograph(town, number * 10);
    const media = await ok(bob.send("POST", "/media", picture));
    const made = await ok(
      bob.send("POST", "/contributions", {
        assignment: { id: assignment.id },
        headline: `River in ${town.name}, number ${number}`,
        mediaUsages: [{ media: { id: media.id } }],
        responses: { phone: "+43 1 58858" },
      }),
    );
    expect(made.place.country).toBe(town.country);
    sent.push({ id: made.id, picture, town });
  }
  expect((await stranger.send("GET", `/contributions?assignment=${assignment.id}`)).body).toEqual([]);
  for (const [number, { id }] of sent.entries())
    await ok(
      editor.send("POST", `/contributions/${id}/moderate`, {
        action: { id: number < 16 ? "approve" : "reject" },
      }),
    );
  await eventually(async () => {
    const listed = await ok(editor.send("GET", `/contributions?assignment=${assignment.id}`));
    return listed.every((one: { mediaUsages: { media: { state: string } }[] }) =>
      one.mediaUsages.every(({ media }) => media.state === "ready"),
    );
  });

  const found = async (query: string): Promise<string[]> =>
    (await ok(stranger.send("GET", `/contributions?assignment=${assignment.id}&${query}`))).map(
      ({ id }: { id: string }) => id,
    );
  const approvedIn = (country: string) =>
    sent
      .slice(0, 16)
      .filter(({ town }) => town.country === country)
      .map(({ id }) => id)
      .reverse();
  expect(await found("country=AT&mediaType=image")).toEqual(approvedIn("AT"));
  expect(await found("latLong=-16.85,179.9&radius=40")).toEqual(approvedIn("FJ"));
  expect(await found("q=river%20nago&hasLocation=true")).toEqual(approvedIn("JP"));
  const refined = await ok(
    stranger.send(
      "GET",
      `/contribution-refinements?assignment=${assignment.id}&refinements=country,mediaType`,
    ),
  );
  expect(refined.country).toEqual(["AT", "FJ", "FR", "JP"].map((value) => ({ value, count: 4 })));
  expect(refined.mediaType).toEqual([{ value: "image", count: 16 }]);

  const address = `${instance.url}${BASE}/contributions?assignment=${assignment.id}&format=rss`;
  const feed = await new RssParser().parseURL(address);
  expect([feed.title, feed.items.length]).toEqual(["Floods & rivers", 16]);
  expect(feed.items[0]).toMatchObject({ title: "River in Taveuni, number 15", guid: sent[15]?.id });
  const enclosed = await instance.send("GET", feed.items[0]?.enclosure?.url ?? "");
  expect([enclosed.status, enclosed.bytes.length]).toEqual([200, Number(feed.items[0]?.enclosure?.length)]);
  expect(enclosed.bytes.includes("GPS")).toBe(false);

  const summary = await ok(editor.send("POST", `/export-summary?assignment=${assignment.id}`));
  expect(summary).toMatchObject({ contributions: COUNT, media: COUNT });
  const begun = await ok(
    editor.send("POST", `/export?assignment=${assignment.id}&format=original&json=true`),
    202,
  );
  const done = await eventually(async () => {
    const now = await ok(editor.send("GET", `/exports/${begun.id}`));
    return now.finished !== undefined && now;
  });
  const files = await unzip((await instance.send("GET", done.downloadUrl)).bytes);
  for (const { id, picture } of sent) {
    const [name] = [...files.keys()].filter((one) => one.startsWith("media/") && one.includes(id));
    expect(files.get(name ?? "")?.equals(picture)).toBe(true);
  }

  await ok(editor.send("DELETE", `/assignments/${assignment.id}`));
  expect((await stranger.send("GET", `/contributions?assignment=${assignment.id}`)).status).toBe(401);
  const owner = asToken(instance, accounts.first.tokens[0]);
  expect(await ok(owner.send("GET", "/contributions"))).toEqual([]);
  await eventually(
    async () => (await instance.send("GET", feed.items[0]?.enclosure?.url ?? "")).status !== 200,
  );
}, 240_000);
