/** Unpacking over HTTP: what is answered, what is refused, what is kept and for how long. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  makeFailingExecutable,
  makeForeignExecutable,
  makePackedExecutable,
  makePlainExecutable,
  SAMPLE_ENTRY_POINT,
} from "../../../tests/support/executables.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { asJson, type Field, formOf, MOUNT, sendFile } from "../../../tests/support/unpack.ts";

const MESSAGE = "The tomatoes want water before the sun is high.";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const hex = (value: number) => `0x${value.toString(16)}`;

onBothDatabases(
  "unpack",
  (instance) => {
    const send = (path: string, content: Uint8Array, options = {}) =>
      sendFile(instance(), path, content, options);
    const clean = () => instance().send("HEAD", `${MOUNT}/clean`);

    describe("POST /unpack", () => {
      it("answers the rebuilt executable with its facts in headers, the second time from what is kept", async () => {
        const packed = makePackedExecutable({ message: "Sow the peas along the fence today." });
        const first = await send("/unpack", packed);
        expect(first.status).toBe(200);
        expect(first.headers.get("content-type")).toBe("application/octet-stream");
        expect(first.headers.get("content-disposition")).toBe('attachment; filename="keeper.unpacked.exe"');
        expect(first.headers.get("x-unpack-verdict")).toBe("unpacked");
        expect(first.headers.get("x-unpack-entry-point")).toBe(hex(SAMPLE_ENTRY_POINT));
        expect(first.headers.get("x-unpack-cache")).toBe("miss");
        expect(first.headers.get("x-unpack-sha256")).toBe(sha256(first.bytes));
        expect(first.bytes.subarray(0, 2).toString("latin1")).toBe("MZ");
        expect(first.bytes.includes("Sow the peas along the fence today.")).toBe(true);
        expect(packed.includes("Sow the peas")).toBe(false);
        const again = await send("/unpack", packed);
        expect(again.headers.get("x-unpack-cache")).toBe("hit");
        expect(again.bytes.equals(first.bytes)).toBe(true);
      });
      it("answers a report to those who want JSON", async () => {
        const packed = makePackedExecutable();
        const { status, body } = await send("/unpack", packed, { headers: asJson });
        expect(status).toBe(200);
        expect(body).toMatchObject({
          verdict: "unpacked",
          file: { name: "keeper.exe", size: packed.length, sha256: sha256(packed) },
          unpacked: { name: "keeper.unpacked.exe" },
          base: "0x400000",
          original_entry_point: hex(SAMPLE_ENTRY_POINT),
        });
        expect(body.layers).toHaveLength(1);
        expect(body.imports.flatMap((one: any) => one.functions)).toEqual(
          expect.arrayContaining(["MessageBoxA", "GetCommandLineA", "ExitProcess"]),
        );
        const [first, second] = body.sections;
        expect([first.name, second.name]).toEqual(["GREEN0", "GREEN1"]);
        expect(first.entropy_before).toBe(0);
        expect(first.entropy_after).toBeGreaterThan(0);
        expect(body.instructions).toBeGreaterThan(4000);
      });
      it("answers the same of a 64-bit executable, with addresses of 64 bits", async () => {
        const packed = readFileSync(new URL("../../../tests/support/packed64/beds-upx.dll", import.meta.url));
        const { status, body } = await send("/unpack", packed, { headers: asJson });
        expect(status).toBe(200);
        expect(body).toMatchObject({ verdict: "unpacked", packer: { name: "UPX" } });
        expect(body.base).toMatch(/^0x3[0-9a-f]{8}$/);
        expect(body.layers[0].address).toMatch(/^0x3[0-9a-f]{8}$/);
        const file = await send("/unpack", packed);
        expect(file.headers.get("x-unpack-verdict")).toBe("unpacked");
        expect(file.bytes.includes("cold frame")).toBe(true);
        expect(packed.includes("cold frame")).toBe(false);
      });
      it("answers what is not packed as it is", async () => {
        const plain = makePlainExecutable();
        const { status, bytes, headers } = await send("/unpack", plain);
        expect([status, headers.get("x-unpack-verdict")]).toEqual([200, "plain"]);
        expect(headers.has("x-unpack-imports")).toBe(false);
        expect(bytes.equals(plain)).toBe(true);
        const report = await send("/unpack", plain, { headers: asJson });
        expect(report.body.verdict).toBe("plain");
        expect(report.body).not.toHaveProperty("unpacked");
      });
      it("says how far it came with what cannot be unpacked", async () => {
        for (const headers of [{}, asJson]) {
          const { status, body } = await send("/unpack", makeFailingExecutable(), { headers });
          expect(status).toBe(400);
          expect(body.status).toBe(400);
          expect(body.message).toMatch(
            /^The file could not be unpacked: emulation stopped after \d+ instructions? and 0 layers\. /,
          );
          expect(body.report).toMatchObject({ verdict: "stopped", layers: [] });
        }
      });
      it("emulates the same file once for many who ask at the same time", async () => {
        const packed = makePackedExecutable({ message: "Many hands carry this message today." });
        const answers = await Promise.all(Array.from({ length: 6 }, () => send("/unpack", packed)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
        expect(new Set(answers.map(({ bytes }) => sha256(bytes))).size).toBe(1);
      });
    });

    describe("what is no executable", () => {
      const wrong: [string, Uint8Array, RegExp][] = [
        ["nothing", Buffer.alloc(0), /not an executable/],
        ["a text", Buffer.from("hello, I am a letter".repeat(20)), /does not begin with MZ/],
        ["a beginning without an end", Buffer.from("MZ"), /not an executable/],
        ["an executable for ARM", makeForeignExecutable(), /neither for x86 nor for x86-64/],
        ["half an executable", makePlainExecutable().subarray(0, 100), /not an executable/],
        [
          "nothing but 0xff",
          Buffer.concat([Buffer.from("MZ"), Buffer.alloc(4000, 0xff)]),
          /not an executable/,
        ],
      ];
      it.each(wrong)("is refused in words: %s", async (_what, content, message) => {
        for (const path of ["/unpack", "/emulation-output"]) {
          const { status, body } = await send(path, content);
          expect([status, body.status]).toEqual([400, 400]);
          expect(body.message).toMatch(message);
        }
        const fields: Field[] = [["is_unpacking_required", "true"]];
        expect((await send("/generate-partial-yara-rules", content, { fields })).status).toBe(400);
      });
      it("nor a form is refused as well", async () => {
        const text = new FormData();
        text.append("file", "just a text");
        const two = formOf(makePlainExecutable());
        two.append("file", new Blob(["MZ"]), "second.exe");
        const none = new FormData();
        none.append("other", "x");
        for (const body of [text, two, none, "MZ", { file: "MZ" }, undefined]) {
          const answered = await instance().send("POST", `${MOUNT}/unpack`, { body });
          expect(answered.status).toBe(400);
          expect(typeof answered.body.message).toBe("string");
        }
        const { body } = await instance().send("POST", `${MOUNT}/unpack`, { body: none });
        expect(body.message).toContain("file is missing: the form must have one file of this name");
      });
      it("nor small enough is refused before it is looked at", async () => {
        const { status, body } = await send("/unpack", Buffer.alloc(17 * 1024 * 1024, 0x90));
        expect(status).toBe(400);
        expect(body.message).toMatch(/larger than the 16777216 bytes/);
        const tooLarge = await send("/unpack", Buffer.alloc(23 * 1024 * 1024));
        expect(tooLarge.status).toBe(400);
      });
    });

    describe("POST /emulation-output", () => {
      it("tells calls, events and written texts", async () => {
        const { status, body } = await send("/emulation-output", makePackedExecutable());
        expect(status).toBe(200);
        expect(body.output).toEqual(
          expect.arrayContaining([
            expect.stringMatching(/^0x[0-9a-f]+ kernel32\.dll!LoadLibraryA\("user32\.dll"\) = 0x/),
            expect.stringMatching(/^0x401000 \[layer\] /),
            expect.stringContaining(MESSAGE),
          ]),
        );
        expect(body.calls[0]).toMatchObject({
          name: "LoadLibraryA",
          arguments: ['"user32.dll"'],
          is_modelled: true,
        });
        expect(body.strings).toContainEqual(expect.objectContaining({ text: MESSAGE, is_wide: false }));
      });
      it("also of what could not be unpacked", async () => {
        const { status, body } = await send("/emulation-output", makeFailingExecutable());
        expect([status, body.verdict]).toEqual([200, "stopped"]);
        expect(body.output.length).toBeGreaterThan(0);
      });
    });

    describe("what is kept", () => {
      const state = async (content: Uint8Array) =>
        (await send("/unpack", content)).headers.get("x-unpack-cache");
      it("goes when somebody cleans up", async () => {
        const packed = makePackedExecutable({ message: "This one is cleaned up by somebody." });
        expect([await state(packed), await state(packed)]).toEqual(["miss", "hit"]);
        const answered = await clean();
        expect([answered.status, answered.text]).toEqual([204, ""]);
        expect(await state(packed)).toBe("miss");
      });
      it("goes by itself after a day", async () => {
        await clean();
        const packed = makePackedExecutable({ message: "This one is forgotten after a day." });
        await state(packed);
        await instance().clock.advance("23h");
        expect(await state(packed)).toBe("hit");
        await instance().clock.advance("2h");
        const rows = await instance().bearer("GET", "/_medley/views/unpack");
        expect(JSON.stringify(rows.body)).not.toContain(sha256(packed));
        expect(await state(packed)).toBe("miss");
      });
      it("makes room for more than 500: the oldest goes", async () => {
        await clean();
        expect((await send("/unpack", makePackedExecutable())).status).toBe(200);
        const path = "/_medley/state?service=unpack";
        const analysesIn = (text: string) =>
          text.split("\n").filter((line) => line.startsWith('{"table":"unpack_analysis"'));
        const { text } = await instance().bearer("GET", path);
        const [kept = ""] = analysesIn(text);
        const { row } = JSON.parse(kept);
        // Each an instant older than the one before.
        const older = Array.from({ length: 500 }, (_, at) =>
          JSON.stringify({
            table: "unpack_analysis",
            row: { ...row, sha256: `older-${at}`, created_at: row.created_at - 1 - at },
          }),
        ).slice(1);
        const full = text.replace(/,"check":\{[^}]*\}/, "").replace(kept, [kept, ...older].join("\n"));
        expect((await instance().bearer("PUT", path, { body: full })).status).toBe(200);
        expect(
          (await send("/unpack", makePackedExecutable({ message: "This one makes room." }))).status,
        ).toBe(200);
        const left = analysesIn((await instance().bearer("GET", path)).text);
        expect(left).toHaveLength(500);
        expect(left.some((line) => line.includes('"older-499"'))).toBe(false);
        expect(left.some((line) => line.includes('"older-498"'))).toBe(true);
        await clean();
      });
      it("is shown in the console", async () => {
        const packed = makePackedExecutable({ message: "This one is shown in the console." });
        await state(packed);
        const { status, text } = await instance().bearer("GET", "/_medley/views/unpack");
        expect(status).toBe(200);
        expect(text).toContain(sha256(packed));
      });
    });

    it("shows a page to drop executables on", async () => {
      const { status, text, headers } = await instance().send("GET", `${MOUNT}/viewer`);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html"]);
      expect(text).toContain("Drop a Windows executable here");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    });
  },
  { services: ["unpack"] },
);
