/** Under load: other services answer while executables are emulated, and nobody's uploads pile up. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePackedExecutable } from "../../../tests/support/executables.ts";
import { accounts, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { sendFile } from "../../../tests/support/unpack.ts";

const TURNS = 1_000_000;
const READS_MIN = 5;
/** Counts for a while before it unpacks anything: another file for each number of turns. */
const busyExecutable = (turns: number): Buffer => {
  const bytes = [turns & 0xff, (turns >>> 8) & 0xff, (turns >>> 16) & 0xff, turns >>> 24];
  return makePackedExecutable({ prologue: [0xb9, ...bytes, 0xe2, 0xfe] });
};

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["unpack", "braille"], trustedProxies: ["127.0.0.1"] });
});
afterAll(() => instance?.stop());
const unpack = (turns: number, headers: Record<string, string> = {}) =>
  sendFile(instance, "/unpack", busyExecutable(turns), { headers });
const from = (address: string) => ({ "x-forwarded-for": address });
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

/** Another service is read, one read after the other, until the work ends: how many were answered before that? */
async function readsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  for (let reads = 0; ; reads += 1) {
    const { status } = await instance.apiKey("x-vendor-api-secret", "GET", "/braille/tables");
    expect(status).toBe(200);
    if (!isDone) continue;
    await ended;
    return reads;
  }
}

it("other services answer while an executable is emulated", async () => {
  // However slow the machine is, some length is enough, unless the emulation keeps the thread that answers: then none is.
  let reads = 0;
  for (let turns = TURNS; reads < READS_MIN && turns <= TURNS * 64; turns *= 2)
    reads = await readsDuring(unpack(turns));
  expect(reads).toBeGreaterThanOrEqual(READS_MIN);
});

it("files that come together get their own answers, and others are answered meanwhile", async () => {
  const files = [1, 2, 3, 4].map((number) => unpack(TURNS + number));
  expect(await readsDuring(Promise.all(files))).toBeGreaterThan(0);
  const answers = await Promise.all(files);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ headers }) => headers.get("x-unpack-sha256"))).size).toBe(4);
});

it("one caller has so many waiting and no more; what is refused may come again", async () => {
  const sent = Array.from({ length: 24 }, (_, number) => unpack(TURNS + 100 + number));
  const statuses = (await Promise.all(sent)).map(({ status, headers }) => {
    if (status === 503) expect(headers.get("retry-after")).toBe("5");
    return status;
  });
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await unpack(TURNS + 100)).status).toBe(200);
});

it("whoever shows a good token waits behind no stranger; a wrong one makes a stranger like any other", async () => {
  const [token = ""] = accounts.first.tokens;
  const ended: string[] = [];
  const noting = async (name: string, sent: ReturnType<typeof unpack>) => {
    const { status } = await sent;
    ended.push(`${name} ${status}`);
    return status;
  };
  let base = TURNS + 1000;
  const flood = Array.from({ length: 24 }, () => {
    base += 1;
    return noting("one address", unpack(base * 2, from("203.0.113.1")));
  });
  // Once one of them is refused, as many as may are waiting.
  await Promise.race(flood.map(async (sent) => (await sent) === 503 || new Promise(() => {})));
  const others = [
    noting("another address", unpack(5001, from("203.0.113.2"))),
    noting("same network", unpack(5002, from("203.0.113.1"))),
    noting("known", unpack(5003, { ...from("203.0.113.1"), ...withToken(token) })),
    noting("wrong", unpack(5004, { ...from("203.0.113.3"), ...withToken("not-a-token") })),
    noting("empty", unpack(5005, { ...from("203.0.113.4"), authorization: "Bearer " })),
  ];
  await Promise.all([...flood, ...others]);
  const last = ended.lastIndexOf("one address 200");
  for (const name of ["another address", "known", "wrong", "empty"])
    expect([name, ended.indexOf(`${name} 200`) >= 0, ended.indexOf(`${name} 200`) < last]).toEqual([
      name,
      true,
      true,
    ]);
});
it("strangers with addresses of one network of theirs count as one", async () => {
  const sent = Array.from({ length: 24 }, (_, number) =>
    unpack(TURNS + 2000 + number, from(`2001:db8:1:1::${number + 1}`)),
  );
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200, 503]));
});
