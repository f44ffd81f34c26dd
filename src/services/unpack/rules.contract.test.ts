/** Rules over HTTP: those that are made of an executable's texts, and those that are applied to it. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  makeFailingExecutable,
  makePackedExecutable,
  makePlainExecutable,
  makeWideExecutable,
} from "../../../tests/support/executables.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { base64, type Field, MOUNT, sendFile } from "../../../tests/support/unpack.ts";

const MESSAGE = "The tomatoes want water before the sun is high.";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const hex = (value: number) => `0x${value.toString(16)}`;

onBothDatabases(
  "rules of unpack",
  (instance) => {
    const send = (path: string, content: Uint8Array, options = {}) =>
      sendFile(instance(), path, content, options);

    describe("POST /generate-partial-yara-rules", () => {
      const generate = (content: Uint8Array, fields: Field[] = [], name = "keeper.exe") =>
        send("/generate-partial-yara-rules", content, { fields, name });
      it("makes a rule of the file's texts, section by section", async () => {
        const plain = makePlainExecutable();
        const { status, body } = await generate(plain);
        expect(status).toBe(200);
        expect(body.rule.name).toBe("sample_keeper");
        expect(body.rule.meta).toEqual({
          date: new Date(instance().clock.nowMs()).toISOString().slice(0, 10),
          md5sum: createHash("md5").update(plain).digest("hex"),
          sha256sum: sha256(plain),
          sha512sum: createHash("sha512").update(plain).digest("hex"),
        });
        expect(body.rule.strings).toEqual([
          ["header", ".text"],
          [".text", "KERNEL32.dll"],
          [".text", "GetStdHandle"],
          [".text", "WriteFile"],
          [".text", "ExitProcess"],
          [".text", "Beans are up by the south wall."],
        ]);
        expect(body.ranked.map(({ text }: any) => text)).toEqual(["Beans are up by the south wall."]);
        expect(body.is_of_unpacked).toBe(false);
      });
      it("of the unpacked form when asked, in ASCII and UTF-16", async () => {
        const { body } = await generate(makePackedExecutable(), [["is_unpacking_required", "true"]]);
        expect(body.is_of_unpacked).toBe(true);
        expect(body.rule.strings).toContainEqual(["GREEN0", MESSAGE]);
        expect(body.rule.strings).toContainEqual(["GREEN0", "Watering schedule of the north bed"]);
        const [best] = body.ranked;
        expect(best).toMatchObject({
          why: "an address on the network",
          text: "https://greenhouse.example/readings/upload",
        });
        expect(body.ranked.map(({ text }: any) => text)).not.toContain("LoadLibraryA");
        const packed = await generate(makePackedExecutable(), [["is_unpacking_required", "false"]]);
        expect(JSON.stringify(packed.body)).not.toContain("tomatoes");
      });
      it("with a length and without texts that are ignored, as fields or as one list", async () => {
        const ignored = ["KERNEL32.dll", ...Array.from({ length: 999 }, (_, i) => `not there ${i}`)];
        for (const fields of [
          ignored.map((text): Field => ["strings_to_ignore", text]),
          [["strings_to_ignore", JSON.stringify(ignored)] satisfies Field],
        ]) {
          const { status, body } = await generate(makePlainExecutable(), [
            ["minimum_string_length", "12"],
            ...fields,
          ]);
          expect(status).toBe(200);
          expect(body.rule.strings).toEqual([
            [".text", "GetStdHandle"],
            [".text", "Beans are up by the south wall."],
          ]);
        }
      });
      it("of at least four characters if no length is given", async () => {
        const stringsOf = async (fields: Field[]) =>
          (await generate(makePackedExecutable(), [["is_unpacking_required", "false"], ...fields])).body.rule;
        const [three, four, five] = await Promise.all(
          ["3", "4", "5"].map((length) => stringsOf([["minimum_string_length", length]])),
        );
        const own = await stringsOf([]);
        expect(own).toEqual(four);
        expect(own).not.toEqual(three);
        expect(own).not.toEqual(five);
      });
      it("of a 64-bit executable too", async () => {
        const { status, body } = await generate(makeWideExecutable());
        expect(status).toBe(200);
        expect(body.rule.strings).toContainEqual([".text", "Beans are up by the south wall."]);
      });
      it("with a full rule that compiles and matches what it was made of", async () => {
        for (const name of ['we"ird näme \\ %00.exe', "9.exe", ""]) {
          const { body } = await generate(makePackedExecutable(), [["is_unpacking_required", "true"]], name);
          expect(body.rule.name).toMatch(/^sample_[A-Za-z0-9_]+$/);
          const fields: Field[] = [
            ["rules", base64(body.full_rule)],
            ["is_unpacking_required", "true"],
          ];
          const applied = await send("/apply-yara-rules", makePackedExecutable(), { fields });
          expect(applied.body.result.is_success).toBe(true);
          expect(applied.body.result.matched_yara_rules[0]).toHaveLength(1);
        }
      });
      it.each([
        ["minimum_string_length", "0"],
        ["minimum_string_length", "four"],
        ["minimum_string_length", "501"],
        ["is_unpacking_required", "maybe"],
        ["strings_to_ignore", "[1, 2]"],
      ] satisfies Field[])("refuses %s=%s", async (name, value) => {
        const { status, body } = await generate(makePlainExecutable(), [[name, value]]);
        expect(status).toBe(400);
        expect(body.message).toContain(name);
      });
      it("refuses more than a thousand texts to ignore", async () => {
        const fields = Array.from({ length: 1001 }, (): Field => ["strings_to_ignore", "x"]);
        expect((await generate(makePlainExecutable(), fields)).status).toBe(400);
        const list: Field = ["strings_to_ignore", JSON.stringify(Array(1001).fill("x"))];
        expect((await generate(makePlainExecutable(), [list])).status).toBe(400);
      });
    });

    describe("POST /apply-yara-rules", () => {
      const good =
        'rule beds : garden south { meta: author = "Ann" beds = 3 dry = true strings: $a = "Beans" $w = { 42 65 61 } condition: all of them }';
      const none = 'rule nothing_there { strings: $a = "no such text" condition: $a }';
      const broken = "rule broken { condition: nobody_knows }";
      const apply = (
        rules: readonly string[],
        { fields = [], ...options }: { fields?: Field[]; base?: string } = {},
      ) =>
        send("/apply-yara-rules", makePlainExecutable(), {
          ...options,
          fields: [...rules.map((rule): Field => ["rules", base64(rule)]), ...fields],
        });
      it("answers matches with strings, offsets, tags and meta", async () => {
        const { status, body } = await apply([good, none]);
        expect(status).toBe(200);
        const offset = makePlainExecutable().indexOf("Beans");
        expect(body.result).toMatchObject({
          is_success: true,
          yara_command: "yr scan --print-strings rules_0.yar rules_1.yar keeper.exe",
          matched_yara_rules: [
            [
              {
                rule: "beds",
                string_information: [`${hex(offset)}:5:$a: Beans`, `${hex(offset)}:3:$w: Bea`],
              },
            ],
            [],
          ],
          matches: [
            {
              rule: "beds",
              source: 0,
              tags: ["garden", "south"],
              meta: [
                { name: "author", value: "Ann" },
                { name: "beds", value: 3 },
                { name: "dry", value: true },
              ],
            },
          ],
        });
        expect(body.result).not.toHaveProperty("error_message");
      });
      it("answers clients of the maker's code in their shape", async () => {
        const { status, body } = await apply([none, good], {
          base: `${MOUNT}/restful4up`,
          fields: [["is_unpacking_required", "yes"]],
        });
        expect(status).toBe(200);
        expect(body).not.toHaveProperty("result");
        expect(body.output.is_success).toBe(true);
        expect(body.output.matched_yara_rules).toEqual([
          { rule: "beds", string_information: [expect.stringContaining("$a: Beans"), expect.any(String)] },
        ]);
      });
      it("reports each text that does not compile, and applies the others", async () => {
        const { status, body } = await apply([broken, good, "rule", "\u0000\u0001"]);
        expect(status).toBe(200);
        const { result } = body;
        expect(result.is_success).toBe(false);
        expect(result.error_message).toMatch(
          /^Text 0 does not compile: unknown identifier `nobody_knows`\. Text 2 /,
        );
        expect(result.rules.map((one: any) => one.is_compiled)).toEqual([false, true, false, false]);
        expect(result.matched_yara_rules.map((list: any[]) => list.length)).toEqual([0, 1, 0, 0]);
      });
      it("applies ten of them and no more, as fields or as one list", async () => {
        const ten = Array(10).fill(good);
        expect((await apply(ten)).body.result.matches).toHaveLength(10);
        expect((await apply([...ten, good])).status).toBe(400);
        const list = (count: number): Field => ["rules", JSON.stringify(Array(count).fill(base64(good)))];
        expect((await apply([], { fields: [list(10)] })).body.result.matches).toHaveLength(10);
        expect((await apply([], { fields: [list(11)] })).status).toBe(400);
      });
      it("takes any bytes as long as they need not be unpacked", async () => {
        const fields: Field[] = [["rules", base64('rule text { strings: $a = "letter" condition: $a }')]];
        const { status, body } = await send("/apply-yara-rules", Buffer.from("a letter"), { fields });
        expect([status, body.result.matches.length]).toEqual([200, 1]);
      });
      it.each([
        ["no rules", []],
        ["no base64", [["rules", "%%%%"]]],
        ["an empty rule", [["rules", ""]]],
      ] satisfies [string, Field[]][])("refuses %s", async (_what, fields) => {
        const { status, body } = await send("/apply-yara-rules", makePlainExecutable(), { fields });
        expect(status).toBe(400);
        expect(body.message).toContain("rules");
      });
      it("says what went wrong where the file cannot be unpacked", async () => {
        const fields: Field[] = [
          ["rules", base64(good)],
          ["is_unpacking_required", "true"],
        ];
        expect((await send("/apply-yara-rules", Buffer.from("a letter"), { fields })).status).toBe(400);
        const stopped = await send("/apply-yara-rules", makeFailingExecutable(), { fields });
        expect([stopped.status, stopped.body.report.verdict]).toEqual([400, "stopped"]);
        const plain = await send("/generate-partial-yara-rules", makeFailingExecutable(), {
          fields: fields.slice(1),
        });
        expect(plain.status).toBe(400);
      });
    });
  },
  { services: ["unpack"] },
);
