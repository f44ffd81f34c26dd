/** Names whose servers never answer must not hold up the names of others. */
import { afterEach, expect, it, vi } from "vitest";
import { createAddressGuard } from "./address-guard.ts";
import { WAITING_MS_MAX } from "./name-queue.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** As the system does it: two at a time, and those that are asked for later wait. */
function systemWith(answerOf: (host: string) => Promise<string>) {
  const asked: string[] = [];
  const queue: (() => Promise<void>)[] = [];
  let running = 0;
  const next = () => {
    const begin = running < 2 ? queue.shift() : undefined;
    if (!begin) return;
    running += 1;
    const ended = () => {
      running -= 1;
      next();
    };
    begin().then(ended, ended);
  };
  const lookup = (host: string) =>
    new Promise<{ address: string; family: number }[]>((resolve, reject) => {
      asked.push(host);
      queue.push(() => answerOf(host).then((address) => resolve([{ address, family: 4 }]), reject));
      next();
    });
  return { asked, guard: createAddressGuard({ listensOnLoopbackOnly: true, allowedNetworks: [], lookup }) };
}
const PUBLIC = "93.184.216.34";
const never = new Promise<string>(() => {});

it("names of a domain that does not answer hold up no other domain", async () => {
  const { guard } = systemWith(async (host) => (host.endsWith(".silent.example") ? never : PUBLIC));
  for (let name = 0; name < 100; name += 1) guard.vet(`n${name}.silent.example`).catch(() => {});
  for (const host of ["a.good.example", "b.good.example", "c.better.example"])
    expect((await guard.vet(host)).addresses).toEqual([{ address: PUBLIC, family: 4 }]);
});

it("what has waited for too long is never looked up", async () => {
  vi.useFakeTimers();
  const { asked, guard } = systemWith(() => never);
  const waiting = Array.from({ length: 50 }, (_, name) =>
    guard.vet(`n${name}.silent.example`).catch((error) => error.reason),
  );
  await vi.advanceTimersByTimeAsync(WAITING_MS_MAX);
  expect(await Promise.race(waiting)).toBe("unresolvable");
  expect(await Promise.all(waiting.slice(1))).toEqual(Array(49).fill("unresolvable"));
  expect(asked).toEqual(["n0.silent.example"]);
});

it("domains take turns", async () => {
  const answers = new Map<string, (address: string) => void>();
  const { asked, guard } = systemWith((host) => new Promise((resolve) => answers.set(host, resolve)));
  const all = ["a1.one.example", "b1.two.example", "a2.one.example", "a3.one.example", "c1.three.example"];
  const found = Promise.all(all.map((host) => guard.vet(host)));
  for (let done = 0; done < all.length; done += 1) {
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(done));
    answers.get(asked[done] ?? "")?.(PUBLIC);
  }
  await found;
  expect(asked).toEqual([all[0], all[1], all[2], all[4], all[3]]);
});

it("of domains that were slow before, one is looked up at a time", async () => {
  vi.useFakeTimers();
  const failures: (() => void)[] = [];
  const { asked, guard } = systemWith((host) =>
    host.endsWith(".good.example")
      ? Promise.resolve(PUBLIC)
      : new Promise((_, reject) => failures.push(() => reject(new Error("no answer")))),
  );
  const ask = (host: string) => guard.vet(host).catch(() => "failed");
  const askBoth = (name: string) => ["one.example", "two.example"].map((domain) => ask(`${name}.${domain}`));
  const before = askBoth("a");
  await vi.advanceTimersByTimeAsync(1000);
  for (const fail of failures.splice(0)) fail();
  await Promise.all(before);
  const later = askBoth("b");
  expect(await ask("c.good.example")).toMatchObject({ host: "c.good.example" });
  expect(asked.slice(2)).toEqual(["b.one.example", "c.good.example"]);
  for (let ended = 0; ended < later.length; ended += 1) {
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    failures.pop()?.();
    await later[ended];
  }
  await vi.advanceTimersByTimeAsync(600_000);
  const last = askBoth("d");
  expect(asked.slice(-2)).toEqual(["d.one.example", "d.two.example"]);
  for (const fail of failures) fail();
  await Promise.all(last);
});

it("the same name is looked up once for all who wait, and anew for later ones", async () => {
  const { asked, guard } = systemWith(async () => PUBLIC);
  await Promise.all([1, 2, 3].map(() => guard.vet("one.example.org")));
  expect(asked).toHaveLength(1);
  await guard.vet("one.example.org");
  expect(asked).toHaveLength(2);
});

it("a failure is the failure of that name only", async () => {
  const { guard } = systemWith(async (host) => {
    if (host.startsWith("bad")) throw new Error("no such name");
    return PUBLIC;
  });
  await expect(guard.vet("bad.example.org")).rejects.toThrow("no usable address");
  expect((await guard.vet("good.example.org")).host).toBe("good.example.org");
});
