/**
 * A story as the public document tells it: no client library exists, so an analyst's script sends forms with fetch. Once with the
 * document's answers, once with those of the maker's code, whose clients have a base address of their own.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePackedExecutable } from "../support/executables.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { base64 } from "../support/unpack.ts";

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["unpack"] });
});
afterAll(() => instance?.stop());

type Matched = { rule: string; string_information: string[] };
const spellings = [
  {
    name: "the public document",
    base: "/unpack/v1",
    matchedIn: (answer: any): Matched[] => answer.result.matched_yara_rules.flat(),
    successIn: (answer: any): boolean => answer.result.is_success,
  },
  {
    name: "the maker's code",
    base: "/unpack/v1/restful4up",
    matchedIn: (answer: any): Matched[] => answer.output.matched_yara_rules,
    successIn: (answer: any): boolean => answer.output.is_success,
  },
];

describe.each(spellings)("with the answers of $name", ({ base, matchedIn, successIn }) => {
  const sample = makePackedExecutable({ message: "Turn the compost on the first dry day." });
  const post = async (path: string, fields: Record<string, string | string[]> = {}, content = sample) => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(content)]), "suspicious.exe");
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) form.append(name, one);
    return fetch(`${instance.url}${base}${path}`, { method: "POST", body: form });
  };
  const json = async (answer: Response): Promise<any> => {
    expect(answer.status).toBe(200);
    return answer.json();
  };

  it("an analyst unpacks, reads what happened, makes a rule and hunts with it", async () => {
    const unpacked = await post("/unpack");
    expect(unpacked.status).toBe(200);
    expect(unpacked.headers.get("x-unpack-verdict")).toBe("unpacked");
    const bytes = Buffer.from(await unpacked.arrayBuffer());
    expect(bytes.includes("Turn the compost")).toBe(true);

    const { output } = await json(await post("/emulation-output"));
    expect(output.some((line: string) => line.includes("GetProcAddress"))).toBe(true);

    const { rule } = await json(
      await post("/generate-partial-yara-rules", {
        is_unpacking_required: "true",
        minimum_string_length: "10",
        strings_to_ignore: ["kernel32.dll", "user32.dll"],
      }),
    );
    expect(Object.keys(rule).sort()).toEqual(["meta", "name", "strings"]);
    expect(Object.keys(rule.meta).sort()).toEqual(["date", "md5sum", "sha256sum", "sha512sum"]);
    const texts: string[] = rule.strings.map(([, text]: [string, string]) => text);
    expect(texts).toContain("Turn the compost on the first dry day.");
    expect(texts).not.toContain("kernel32.dll");

    const hunting = `rule hunting { strings: $a = ${JSON.stringify(texts.find((text) => text.startsWith("Turn")))} condition: $a }`;
    const rules = [
      base64(hunting),
      base64('rule other { strings: $a = "nowhere to be found" condition: $a }'),
    ];
    const found = await json(await post("/apply-yara-rules", { rules, is_unpacking_required: "true" }));
    expect(successIn(found)).toBe(true);
    expect(matchedIn(found)).toEqual([
      {
        rule: "hunting",
        string_information: [expect.stringMatching(/^0x[0-9a-f]+:38:\$a: Turn the compost/)],
      },
    ]);
    const packed = await json(await post("/apply-yara-rules", { rules, is_unpacking_required: "false" }));
    expect(matchedIn(packed)).toEqual([]);
    const wrong = await json(await post("/apply-yara-rules", { rules: base64("rule wrong {") }));
    expect(successIn(wrong)).toBe(false);

    const refused = await post("/unpack", {}, Buffer.from("no executable at all"));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      status: 400,
      message: expect.stringContaining("not an executable"),
    });

    const cleaned = await fetch(`${instance.url}${base}/clean`, { method: "HEAD" });
    expect(cleaned.status).toBe(204);
    expect((await post("/unpack")).headers.get("x-unpack-cache")).toBe("miss");
  }, 300_000);
});
