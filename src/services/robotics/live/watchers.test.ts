/** Watchers are told of changes once, share one look, and are never more than there is room for. */
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../../../tests/support/eventually.ts";
import { KeptPages } from "./kept-pages.ts";
import { Watchers } from "./watchers.ts";

const opened: Watchers[] = [];
const watchersOf = (most?: number) => {
  const watchers = new Watchers(most);
  opened.push(watchers);
  return watchers;
};
afterEach(() => {
  for (const watchers of opened.splice(0)) watchers.close();
});

/** Reads what it is told until it is told `last`. */
async function readUntil(
  versions: AsyncGenerator<string | undefined> | undefined,
  last: string,
): Promise<string[]> {
  const told: string[] = [];
  if (versions)
    for await (const version of versions) {
      if (version !== undefined) told.push(version);
      if (version === last) break;
    }
  return told;
}

/** A watcher of version 1, and then there is version 2. */
async function watchFromOneToTwo() {
  const watchers = watchersOf();
  let version = "1";
  const read = readUntil(
    watchers.watch("a", "1", async () => version),
    "2",
  );
  await eventually(() => watchers.count === 1, "a watcher");
  version = "2";
  return { watchers, read };
}

describe("watchers", () => {
  it("are told the version that is there and each that follows", async () => {
    const { watchers, read } = await watchFromOneToTwo();
    watchers.changed("a");
    expect(await read).toEqual(["1", "2"]);
    await eventually(() => watchers.count === 0, "no watcher");
  });
  it("find out about changes of other nodes by themselves", async () => {
    const { read } = await watchFromOneToTwo();
    expect(await read).toEqual(["1", "2"]);
  });
  it("share one look, which a failure does not end", async () => {
    const watchers = watchersOf();
    let looks = 0;
    let version = "1";
    const look = async () => {
      looks += 1;
      if (looks === 1) throw new Error("the database is away");
      return version;
    };
    const reads = Array.from({ length: 50 }, () => readUntil(watchers.watch("a", "1", look), "2"));
    await eventually(() => watchers.count === 50, "fifty watchers");
    version = "2";
    watchers.changed("a");
    for (const told of await Promise.all(reads)) expect(told).toEqual(["1", "2"]);
    expect(looks).toBeLessThan(20);
  });
  it("are refused beyond what there is room for, and count only once they read", async () => {
    const watchers = watchersOf(1);
    const never = watchers.watch("a", "1", async () => "1");
    expect(never).toBeDefined();
    expect(watchers.count).toBe(0);
    const reading = watchers.watch("a", "1", async () => "1");
    await reading?.next();
    expect(watchers.count).toBe(1);
    expect(watchers.watch("b", "1", async () => "1")).toBeUndefined();
    await reading?.return(undefined);
    expect(watchers.count).toBe(0);
  });
  it("are let go when all is closed", async () => {
    const watchers = watchersOf();
    const read = readUntil(
      watchers.watch("a", "1", async () => "1"),
      "never",
    );
    await eventually(() => watchers.count === 1, "a watcher");
    watchers.close();
    expect(await read).toEqual(["1"]);
    expect(watchers.watch("a", "1", async () => "1")).toBeUndefined();
  });
});

describe("rendered pages", () => {
  const page = (html: string) => ({ status: 200, html, headers: {} });
  it("are made once for a version, also while many ask", async () => {
    const pages = new KeptPages();
    let made = 0;
    const make = async () => {
      made += 1;
      return page(`page ${made}`);
    };
    const asked = await Promise.all(Array.from({ length: 20 }, () => pages.get("a", "1", make)));
    expect(new Set(asked.map(({ html }) => html))).toEqual(new Set(["page 1"]));
    expect((await pages.get("a", "2", make)).html).toBe("page 2");
    pages.clear();
    expect((await pages.get("a", "2", make)).html).toBe("page 3");
  });
  it("are tried again after a failure, and are not kept without end", async () => {
    const pages = new KeptPages();
    const failing = pages.get("a", "1", () => Promise.reject(new Error("the database is away")));
    await expect(failing).rejects.toThrow("away");
    expect((await pages.get("a", "1", async () => page("one"))).html).toBe("one");
    for (let number = 0; number < 50; number += 1)
      await pages.get(`b${number}`, "1", async () => page("other"));
    expect((await pages.get("a", "1", async () => page("made again"))).html).toBe("made again");
  });
});
