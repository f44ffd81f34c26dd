/** While the server imports, it tells how far it is; afterwards there is nothing to tell. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { authoring } from "../support/language.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { FeedServer, feedOf, items } from "../support/podcasts.ts";
import { Robotics } from "../support/robotics.ts";

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["language", "podcasts", "robotics"] });
});
afterAll(() => instance.stop());

const importsOf = async (service: string, account = accounts.first.id): Promise<unknown[][]> => {
  const path = `/_medley/views/${service}?view=Imports%20under%20way&account=${account}`;
  return (await instance.bearer("GET", path)).body.views[0]?.rows ?? [];
};
/** It imports again until it was seen on its way, so that the speed of the machine does not matter. */
async function seenDuring(service: string, begin: () => Promise<{ readonly status: number }>) {
  for (;;) {
    let isDone = false;
    const importing = begin().finally(() => {
      isDone = true;
    });
    let seen: unknown[] | undefined;
    while (!isDone && !seen) seen = (await importsOf(service)).find(([, , , text]) => text !== "0 %");
    expect((await importing).status).toBeLessThan(300);
    expect(await importsOf(service)).toEqual([]);
    if (seen) return seen;
  }
}

it("lines of robotics, by their bytes", async () => {
  const robotics = new Robotics(() => instance);
  const teams = Array.from({ length: 400 }, (_, at) => ({ number: at + 1, nameShort: "x".repeat(200) }));
  const lines = Array.from({ length: 40 }, (_, at) => ({ kind: "teams", season: 1992 + (at % 10), teams }));
  const seen = await seenDuring("robotics", () => robotics.import(lines));
  expect(seen).toEqual([
    "Lines, in bytes",
    expect.stringMatching(/^\d{4}-/),
    expect.stringMatching(/^\d+ of \d{7}$/),
    expect.stringMatching(/^\d{1,2} %$/),
  ]);
});

it("versions of language, by their steps", async () => {
  const { send } = authoring(() => instance);
  let number = 0;
  const begin = () => {
    number += 1;
    const body = {
      luis_schema_version: "7.0.0",
      versionId: "0.1",
      name: `Large ${number}`,
      culture: "en-us",
      intents: [{ name: "Count" }],
      entities: [],
      utterances: Array.from({ length: 4000 }, (_, at) => ({
        text: `say ${at}`,
        intent: "Count",
        entities: [],
      })),
    };
    return send("POST", "/apps/import", { body });
  };
  const seen = await seenDuring("language", begin);
  expect(seen.slice(2)).toEqual([expect.stringMatching(/^\d+ of 17$/), expect.stringMatching(/^\d{1,2} %$/)]);
});

it("addresses of podcasts that were submitted, until each is decided", async () => {
  const feeds = await FeedServer.start();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const addresses = ["/one.xml", "/two.xml", "/three.xml"].map((path, at) =>
    feeds.answer(path, async (_request, response) => {
      if (at > 0) await held;
      response.writeHead(200).end(feedOf(`Garden ${at}`, items(1)));
    }),
  );
  for (const rss of addresses)
    await instance.bearer("POST", "/podcasts/api/v2/podcasts/submit", { body: { rss } });
  await expect.poll(async () => (await importsOf("podcasts"))[0]?.slice(2)).toEqual(["1 of 3", "33 %"]);
  expect(await importsOf("podcasts", accounts.second.id)).toEqual([]);
  release();
  await expect.poll(() => importsOf("podcasts")).toEqual([]);
  await feeds.stop();
});
