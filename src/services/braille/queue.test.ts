/** Who waits for translations, and behind whom: no page of a foreign site keeps others from being served. */
import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../kernel/operation/errors.ts";
import { askerOf } from "./operations/asker.ts";
import { runTask } from "./translator/index.ts";

const PER_CALLER_MAX = 100;
const ALL_MAX = 400;
const RUNNING = Math.max(2, availableParallelism() - 1);

const site = (name: string) => ({ name: `127.0.0.1 https://${name}.example`, isKnown: false });
const owner = { name: "111111111111", isKnown: true };
const done: string[] = [];
const ask = (asker: Parameters<typeof runTask>[1]): Promise<string> =>
  runTask({ kind: "drawCell", cell: 1, output: "svg" }, asker).then(
    () => {
      done.push(asker.name);
      return "served";
    },
    ({ kind }: ServiceError) => String(kind.status),
  );
const count = (outcomes: readonly string[], outcome: string): number =>
  outcomes.filter((one) => one === outcome).length;

describe("the queue of translations", () => {
  // Answers come in the order in which threads end, so the places have a wide margin.
  it("takes so many of one site; others are served among them", async () => {
    const flood = Array.from({ length: RUNNING + PER_CALLER_MAX + 5 }, () => ask(site("flood")));
    const [other, known] = [ask(site("other")), ask(owner)];
    const outcomes = await Promise.all(flood);
    expect([count(outcomes, "served"), count(outcomes, "503")]).toEqual([RUNNING + PER_CALLER_MAX, 5]);
    expect([await other, await known]).toEqual(["served", "served"]);
    for (const { name } of [owner, site("other")])
      expect(done.indexOf(name)).toBeLessThan(PER_CALLER_MAX / 2);
  });
  it("takes so many of all strangers together; a caller with a key is not refused for them and goes first", async () => {
    const before = done.length;
    const sites = Array.from({ length: RUNNING + ALL_MAX + 5 }, (_, index) => ask(site(`site-${index}`)));
    const known = ask(owner);
    const outcomes = await Promise.all(sites);
    expect([count(outcomes, "served"), count(outcomes, "503")]).toEqual([RUNNING + ALL_MAX, 5]);
    expect(await known).toBe("served");
    expect(done.indexOf(owner.name, before) - before).toBeLessThan(ALL_MAX / 2);
  });
  it("is shared by account, network and site", () => {
    const of = (account: string, headers: object, remoteAddress = "127.0.0.1") =>
      askerOf({ account, request: { headers, remoteAddress } } as Parameters<typeof askerOf>[0]);
    expect(of("111111111111", { origin: "https://a.example" })).toEqual(owner);
    expect(of("", { origin: "https://a.example", "sec-fetch-site": "cross-site" })).toEqual(site("a"));
    expect(of("", { "sec-fetch-site": "cross-site" }).name).toBe("127.0.0.1 cross-site");
    expect(of("", { origin: "https://a.example" }, "::ffff:127.0.0.1")).toEqual(site("a"));
    expect(of("", {})).toEqual({ name: "127.0.0.1 ", isKnown: false });
    expect(of("", { origin: "https://a.example" }, "2001:db8::1:2").name).toBe("2001:db8:0:0");
    expect(of("", { origin: "https://b.example" }, "203.0.113.9").name).toBe("203.0.113.9");
  });
});
