/** A changed export is refused or harmless: never is a secret lost by loading one. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKernel } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { ServiceError } from "../../src/kernel/operation/index.ts";
import type { Kernel } from "../../src/kernel/runtime/index.ts";
import { exportState, importState } from "../../src/kernel/state/index.ts";
import { accounts, type Instance } from "../support/medley.ts";
import { book, databases, exportOf, fillShelf, importInto, startShelf } from "./shelf.ts";
import { shelfService } from "./shelf-service.ts";

type Header = { medley: number; secrets: Record<string, string>; check?: object };
const parted = (archive: Buffer): [Header, string] => {
  const text = archive.toString();
  const end = text.indexOf("\n");
  return [JSON.parse(text.slice(0, end)), text.slice(end + 1)];
};
const joined = (header: object, rows: string) => `${JSON.stringify(header)}\n${rows}`;
/** As 0.1.0 wrote it: a check of the rows alone, and no probe. */
function asBefore(archive: Buffer, change: (header: Header) => void = () => {}): string {
  const [{ check: _check, secrets, ...header }, rows] = parted(archive);
  const sha256 = createHash("sha256").update(rows).digest("hex");
  const { probe: _probe, ...kept } = secrets;
  const older = { ...header, medley: 1, secrets: kept, check: { rows: rows.split("\n").length - 1, sha256 } };
  change(older);
  return joined(older, rows);
}
const otherLetter = (text: string) => `${text[0] === "a" ? "b" : "a"}${text.slice(1)}`;

describe.each(databases)("on %s", (on) => {
  let instance: Instance;
  let whole: Buffer;
  beforeAll(async () => {
    instance = await startShelf(3, on, { services: ["voice"] });
    await fillShelf(instance, "first");
    whole = await exportOf(instance);
  });
  afterAll(() => instance.stop());
  async function expectRefused(archive: string, words: RegExp): Promise<void> {
    const refused = await importInto(instance, archive);
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringMatching(words)]);
    expect((await book(instance, "one")).code).toBe("1234 of first");
    const signed = await instance.signed("sms-voice", "GET", "/voice/v1/sms-voice/configuration-sets");
    expect(signed.status).toBe(200);
  }

  it("a changed key is refused, with its check and without", async () => {
    const [header, rows] = parted(whole);
    const secrets: Record<string, string> = {
      ...header.secrets,
      key: otherLetter(header.secrets.key ?? ""),
    };
    await expectRefused(joined({ ...header, secrets }, rows), /would be lost/);
    const { check: _check, ...unchecked } = header;
    await expectRefused(joined({ ...unchecked, secrets }, rows), /would be lost/);
    const { probe: _probe, ...noProbe } = secrets;
    await expectRefused(joined({ ...unchecked, secrets: noProbe }, rows), /would be lost/);
    await expectRefused(joined({ ...unchecked, secrets: {} }, rows), /would be lost/);
    await expectRefused(joined({ ...header, exportedAt: "yesterday" }, rows), /not as it was made/);
  });
  it("a changed key of an older export is refused, and the unchanged one taken", async () => {
    await expectRefused(
      asBefore(whole, (header) => {
        header.secrets.key = otherLetter(header.secrets.key ?? "");
      }),
      /would be lost/,
    );
    await expectRefused(
      asBefore(whole, (header) => {
        header.secrets = {};
      }),
      /would be lost/,
    );
    expect((await importInto(instance, asBefore(whole))).status).toBe(200);
    expect((await book(instance, "one")).code).toBe("1234 of first");
  });
});

describe("a small export", () => {
  let kernel: Kernel;
  let archive: Buffer;
  const source = (bytes: Buffer) => ({
    async *chunks() {
      yield bytes;
    },
  });
  beforeAll(async () => {
    ({ kernel } = await openKernel({ ...defaultConfig, memory: true, logLevel: "error" }, [shelfService(3)]));
    const { users: _users, ...first } = accounts.first;
    await kernel.accounts.load([first]);
    const pieces: Buffer[] = [];
    for await (const piece of await exportState(kernel, {})) pieces.push(piece);
    archive = Buffer.concat(pieces);
  });
  afterAll(() => kernel.database.close());

  it("is refused whichever byte of it is changed", async () => {
    const taken: string[] = [];
    for (let at = 0; at < archive.length; at += 1) {
      const changed = Buffer.from(archive);
      changed[at] = (changed[at] ?? 0) ^ (at % 2 === 0 ? 1 : 32);
      const outcome = await importState(kernel, source(changed), { caller: first }).then(
        () => "taken",
        (error) => error,
      );
      if (!(outcome instanceof ServiceError)) taken.push(`byte ${at}: ${outcome}`);
    }
    expect(taken).toEqual([]);
    expect(await importState(kernel, source(archive), { caller: first })).toEqual({
      rows: expect.any(Number),
      credentialsLeftOut: 0,
    });
    expect((await kernel.accounts.findAccessKey(accounts.first.accessKeys[0]!.id))?.key.secret).toBe(
      accounts.first.accessKeys[0]!.secret,
    );
  });
  const first = accounts.first.id;
});
