/** The promised interface and what goes beyond it, over HTTP. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Instance,
  onBothDatabases,
  type SendOptions,
  startInstance,
} from "../../../tests/support/medley.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";

const KEY = "X-Vendor-Api-Secret";
const ENGINE = /^liblouis \d+\.\d+\.\d+ \((?:bundled|system)\)$/;
const SENTENCE = "Fun Translations has something for everyone.";
const mib = (bytes: number) => bytes / 1024 / 1024;

/** As the maker's documentation shows them: the code of before Unified English Braille. */
const published = {
  "": '  ,fun ,transl,ns has "s?+ =\r\n"ey"o4\r\n',
  "/dots":
    "none none 6 124 136 1345 none 6 2345 1235 1 1345 234 123 6 1345 234 none 125 1 234 none 5 234 1456 346 none 123456 \r \n 5 15 13456 5 135 256 \r \n".split(
      " ",
    ),
  "/unicode": [..."⠀⠀⠠⠋⠥⠝⠀⠠⠞⠗⠁⠝⠎⠇⠠⠝⠎⠀⠓⠁⠎⠀⠐⠎⠹⠬⠀⠿", "\r", "\n", ..."⠐⠑⠽⠐⠕⠲", "\r", "\n"],
};
const forms = {
  "": "braille display",
  "/dots": "braille dots",
  "/unicode": "braille unicode",
  "/image": "braille images",
  "/html": "braille html",
} as const;
type Form = keyof typeof forms;
const everyForm = Object.keys(forms) as Form[];

onBothDatabases("braille", (instance: () => Instance) => {
  const get = (form: string, query: Record<string, string>, options: SendOptions = {}) =>
    instance().apiKey(KEY, "GET", `/braille/translate/braille${form}?${new URLSearchParams(query)}`, options);
  const post = (form: string, body: unknown, options: SendOptions = {}) =>
    instance().apiKey(KEY, "POST", `/braille/translate/braille${form}`, { body, ...options });
  const translatedIn = (form: Form, query: Record<string, string>) =>
    get(form, query).then(({ body }) => body.contents.translated);

  describe("the five forms", () => {
    it.each(everyForm)("GET /translate/braille%s answers in its shape", async (form) => {
      const { status, body, headers } = await get(form, { text: SENTENCE });
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/json");
      const { translated, ...rest } = body.contents;
      expect(body.success).toEqual({ total: 1 });
      expect(rest).toEqual({
        text: SENTENCE,
        translation: { source: "english", destination: forms[form] },
      });
      expect(Array.isArray(translated)).toBe(form !== "");
    });
    it.each(everyForm)("POST /translate/braille%s answers the same", async (form) => {
      const { status, body } = await post(form, { text: SENTENCE });
      expect(status).toBe(200);
      expect(body).toEqual((await get(form, { text: SENTENCE })).body);
    });
    it("is contracted Unified English Braille by default", async () => {
      expect(await translatedIn("", { text: SENTENCE })).toBe('  ,fun ,transla;ns has "s?+ =\r\n"ey"o4\r\n');
    });
    it.each(["", "/dots", "/unicode"] as const)("%s is as published in the code of before", async (form) => {
      expect(await translatedIn(form, { text: SENTENCE, table: "en-us-g2" })).toEqual(published[form]);
    });
    it("agree with each other, cell by cell", async () => {
      const query = { text: "“Two” lines:\nABC def 42", table: "en-ueb-g1" };
      const unicode: string[] = await translatedIn("/unicode", query);
      const codes = unicode.map((cell) => cell.charCodeAt(0) - 0x2800);
      const html: string[] = await translatedIn("/html", query);
      const image: string[] = await translatedIn("/image", query);
      unicode.forEach((cell, index) => {
        if (cell === "\r" || cell === "\n") {
          expect([html[index], image[index]]).toEqual([cell, cell]);
          return;
        }
        const code = codes[index]!.toString(16).padStart(2, "0");
        expect(html[index]).toBe(`&#x28${code};`);
        expect(image[index]).toBe(
          `<img src='${instance().url}/braille/img/char/${code}.gif' alt='char 0x28${code} = &#x28${code};' title='char 0x28${code} = &#x28${code};' class='img-braille-char'>`,
        );
      });
    });
    it("take the maker's spelling of the key", async () => {
      const headers = { "x-funtranslations-api-secret": "first-api-key-0001" };
      const { status, body } = await instance().send("GET", "/braille/translate/braille?text=hi", {
        headers,
      });
      expect([status, body.contents.translated]).toEqual([200, "  hi\r\n"]);
    });
  });

  describe("without a right key", () => {
    it.each(everyForm)("%s is closed", async (form) => {
      const path = `/braille/translate/braille${form}?text=hi`;
      const missing = await instance().send("GET", path);
      const wrong = await instance().send("GET", path, { headers: { [KEY]: "wrong" } });
      for (const { status, body } of [missing, wrong]) {
        expect(status).toBe(401);
        expect(body).toEqual({ error: { code: 401, message: expect.stringMatching(/^Unauthorized/) } });
      }
    });
  });

  describe("what is wrong with a request", () => {
    it.each([
      ["no text", {}, 400],
      ["an empty text", { text: "" }, 400],
      ["a table that is not there", { text: "a", table: "klingon" }, 400],
      ["a path instead of a table", { text: "a", table: "../../../package.json" }, 400],
      ["a language that is not there", { text: "a", language: "tlh" }, 400],
      ["a grade that the language has not", { text: "a", language: "es", grade: "3" }, 400],
      ["a width beyond reason", { text: "a", width: "100000" }, 400],
      ["a width that is no number", { text: "a", width: "wide" }, 400],
      ["a direction of its own", { text: "a", direction: "sideways" }, 400],
      ["a callback with code in it", { text: "a", callback: "alert(1)//" }, 400],
      ["braille that is none", { text: "häh", direction: "back" }, 400],
    ])("is said for %s", async (_name, query, status) => {
      const answer = await get("", query as Record<string, string>);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ error: { code: status, message: expect.any(String) } });
    });
    it("is said for a text that is too long, an address that is too long, and a method that is not there", async () => {
      expect((await post("", { text: "a".repeat(200_001) })).status).toBe(400);
      const padded = (bytes: number) => `${JSON.stringify({ text: "a" }).padEnd(bytes)}`;
      const headers = { "content-type": "application/json" };
      const statuses = [2_097_152, 2_097_153].map(
        async (bytes) => (await post("", padded(bytes), { headers })).status,
      );
      expect(await Promise.all(statuses)).toEqual([200, 413]);
      const address = "/braille/translate/braille?text=a&callback=";
      const addressed = [904_096, 904_097].map(
        async (bytes) => (await instance().apiKey(KEY, "GET", address.padEnd(bytes, "a"))).status,
      );
      // The first is read, and refused for another reason.
      expect(await Promise.all(addressed)).toEqual([400, 414]);
      expect((await instance().apiKey(KEY, "DELETE", "/braille/translate/braille")).status).toBe(405);
    });
    it("is said for a picture that would be too large", async () => {
      const { status, body } = await post(
        "/image",
        { text: "word ".repeat(20_000) },
        { headers: { accept: "image/png" } },
      );
      expect([status, body.error.code]).toEqual([413, 413]);
      expect(body.error.message).toContain("image/svg+xml");
    });
  });

  describe("other documents", () => {
    it("XML, when it is asked for", async () => {
      const { status, headers, text } = await get(
        "/dots",
        { text: "a & b" },
        { headers: { accept: "application/xml" } },
      );
      expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
      expect(text).toContain("<translated><cell>none</cell><cell>none</cell><cell>1</cell>");
      expect(text).toContain("<text>a &amp; b</text>");
    });
    it("a script, when it is asked for", async () => {
      const { headers, text } = await get(
        "",
        { text: "hi", callback: "page.show" },
        { headers: { accept: "application/js" } },
      );
      expect(headers.get("content-type")).toBe("application/js; charset=utf-8");
      expect(text).toMatch(/^\/\*\*\/page\.show\(\{.*\}\);$/s);
    });
    it("JSON, when nothing that there is is asked for", async () => {
      const { headers } = await get(
        "/dots",
        { text: "hi" },
        { headers: { accept: "image/png, text/plain" } },
      );
      expect(headers.get("content-type")).toBe("application/json");
    });
  });

  describe("pictures", () => {
    it("of the whole text, as PNG and as SVG", async () => {
      const png = await get("/image", { text: SENTENCE }, { headers: { accept: "image/png" } });
      expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
      // 29 cells and two lines, at twice their size.
      expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([2 * (29 * 24 + 48), 2 * 128]);
      const svg = await get("/image", { text: SENTENCE }, { headers: { accept: "image/svg+xml" } });
      expect(svg.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
      expect(svg.text).toMatch(/^<svg .*<title>Fun Translations has something for everyone\.<\/title>/);
    });
    it("of every cell that the image form names are there for anyone, to be kept", async () => {
      const cells: string[] = await translatedIn("/image", { text: SENTENCE });
      const addresses = new Set(cells.flatMap((cell) => /src='([^']+)'/.exec(cell)?.[1] ?? []));
      expect(addresses.size).toBeGreaterThan(15);
      for (const address of addresses) {
        const { status, headers, bytes } = await instance().send("GET", address);
        expect([status, headers.get("content-type")]).toEqual([200, "image/gif"]);
        expect(headers.get("cache-control")).toContain("immutable");
        expect(bytes.subarray(0, 6).toString()).toBe("GIF89a");
      }
    });
    it("of a cell are PNG and SVG too, and nothing else", async () => {
      const png = await instance().send("GET", "/braille/img/char/ff.png");
      expect([png.status, png.headers.get("content-type"), png.bytes.readUInt32BE(20)]).toEqual([
        200,
        "image/png",
        100,
      ]);
      const svg = await instance().send("GET", "/braille/img/char/0b.svg");
      expect(svg.text).toContain("<title>dots 1 2 4</title>");
      for (const file of ["zz.gif", "100.gif", "0b.jpg", "0b", "..%2f..%2fpackage.json"])
        expect((await instance().send("GET", `/braille/img/char/${file}`)).status).toBe(404);
    });
  });

  describe("beyond the contract", () => {
    it("lists the tables, of which one is the default", async () => {
      const { status, body } = await instance().apiKey(KEY, "GET", "/braille/tables");
      expect(status).toBe(200);
      const { tables } = body.contents;
      expect(body.success.total).toBe(tables.length);
      expect(tables.filter((table: { default: boolean }) => table.default)).toEqual([
        {
          name: "en-ueb-g2",
          title: "Unified English Braille, contracted",
          language: "en",
          language_name: "english",
          grade: 2,
          dots: 6,
          engine: expect.stringMatching(ENGINE),
          default: true,
        },
      ]);
      expect((await instance().send("GET", "/braille/tables")).status).toBe(401);
    });
    it("takes any other table that the engine has by its name", async () => {
      for (const table of ["en-us-comp6", "EN-US-COMP6.ctb"]) {
        const { status, body } = await get("/unicode", { text: "1+1", table });
        expect([table, status, body.contents?.translated?.length > 3]).toEqual([table, 200, true]);
      }
      for (const table of ["en-ueb-chardefs", "../tables/en-us-comp6"])
        expect((await get("/unicode", { text: "a", table })).status).toBe(400);
    });
    it("says of each table and of each answer which engine speaks", async () => {
      const { body } = await instance().apiKey(KEY, "GET", "/braille/tables");
      for (const table of ["en-ueb-g2", "de-ch-g1"]) {
        const { engine } = body.contents.tables.find((one: { name: string }) => one.name === table);
        expect(engine).toMatch(ENGINE);
        const { headers } = await get("/dots", { text: SENTENCE, table });
        expect(headers.get("x-braille-engine")).toBe(engine);
      }
    });
    it("translates to another language and grade", async () => {
      const { body } = await get("", { text: "Schöne Grüße", language: "de", grade: "2" });
      expect(body.contents.translated).toBe("  :[ne gr\\,!e\r\n");
      expect(body.contents.translation.source).toBe("german");
      expect(await translatedIn("", { text: "people", grade: "1" })).toBe("  people\r\n");
      expect(await translatedIn("", { text: "people", grade: "2" })).toBe("  p\r\n");
    });
    it("wraps to another width, and indents otherwise", async () => {
      const text = "one two\nthree";
      const query = { text, grade: "1" };
      expect(await translatedIn("", { ...query, width: "5" })).toBe("  one\r\ntwo\r\n  thr\r\nee\r\n");
      expect(await translatedIn("", { ...query, width: "0", indent: "0" })).toBe("one two\r\nthree\r\n");
    });
    it.each(everyForm)("reads back what %s wrote", async (form) => {
      const text =
        "Hello world, how are you?\nA second paragraph, which is so long that it has to be wrapped.";
      const written: string | string[] = await translatedIn(form, { text });
      const sent = typeof written === "string" ? written : written.join(form === "/dots" ? " " : "");
      const { status, body } = await post(form, { text: sent, direction: "back" });
      expect(status).toBe(200);
      expect(body.contents).toEqual({
        translated: text,
        text: sent,
        translation: { source: forms[form], destination: "english" },
      });
    });
    it("takes forms of both kinds", async () => {
      const wanted = (await get("", { text: SENTENCE, width: "20" })).body;
      expect((await post("", new URLSearchParams({ text: SENTENCE, width: "20" }))).body).toEqual(wanted);
      const form = new FormData();
      form.set("text", SENTENCE);
      form.set("width", "20");
      expect((await post("", form)).body).toEqual(wanted);
    });
  });

  describe("any text", () => {
    it.each([
      ["emoji and other scripts", "😀 你好 привет שלום مرحبا ไทย"],
      ["control characters", "a\u0000b\u0001c\u001b[31m\u007f\u0085d"],
      ["half characters", "\ud800 and \udfff"],
      ["directions", "\u202eabc\u202c \u2066x\u2069"],
      ["the ends of Unicode", "\ufffe\uffff\u{10ffff}\u{f0000}\ue000"],
      ["accents without end", `z${"\u0301".repeat(1000)}`],
      ["markup", "<script>alert('x')</script> & \"more\""],
      ["braille itself", "⠓⠑⠇⠇⠕"],
      ["line ends of all kinds", "a\r\nb\rc\nd\u2028e"],
      ["a name that objects have", "constructor toString"],
      ["words without end", "grinning".repeat(2000)],
      ["emoji without end", "😀".repeat(500)],
    ])("gets an answer: %s", async (_name, text) => {
      // The first part of the tests sends long texts in one form only.
      for (const form of isFirstPart() && text.length > 500 ? everyForm.slice(0, 1) : everyForm) {
        const { status, body } = await post(form, { text });
        expect(status).toBe(200);
        expect(body.contents.text).toBe(text);
      }
      const pictures = ["application/xml", "image/svg+xml", "image/png"];
      for (const accept of isFirstPart() && text.length > 5000 ? [] : pictures)
        expect((await post("/image", { text }, { headers: { accept } })).status).toBe(200);
    });
    it.skipIf(isFirstPart())("of 100,000 characters gets one by GET, in English and in Chinese", async () => {
      const chinese = "你好吗我很好".repeat(17_000).slice(0, 100_000);
      const english = `${SENTENCE} `.repeat(2500).slice(0, 100_000);
      for (const text of [chinese, english]) {
        const { status, body } = await get("/unicode", { text });
        expect(status).toBe(200);
        expect(body.contents.text).toBe(text);
        expect(body.contents.translated.length).toBeGreaterThan(70_000);
      }
    });
    it.skipIf(isFirstPart())("of 200,000 gets one by POST, and the largest answer is whole", async () => {
      const { status, body, bytes } = await post("/image", { text: `${SENTENCE} `.repeat(4444) });
      expect(status).toBe(200);
      expect(mib(bytes.length)).toBeGreaterThan(15);
      expect(body.contents.translated.at(-1)).toBe("\n");
    });
  });
});

describe("with --braille-engine bundled", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ services: ["braille"], brailleEngine: "bundled" });
  });
  afterAll(() => instance.stop());
  it("the engine that comes with the package speaks for every table", async () => {
    const { body } = await instance.apiKey(KEY, "GET", "/braille/tables");
    const engines = new Set(body.contents.tables.map(({ engine }: { engine: string }) => engine));
    expect([...engines]).toEqual(["liblouis 3.2.0 (bundled)"]);
    const answer = await instance.apiKey(
      KEY,
      "GET",
      `/braille/translate/braille?text=${encodeURIComponent("Dvořák")}`,
    );
    expect(answer.headers.get("x-braille-engine")).toBe("liblouis 3.2.0 (bundled)");
    expect(answer.body.contents.translated).toBe("  ,dvo^+r^/ak\r\n");
  });
});

it("the contract's five operations are the ones that these tests are about", () => {
  const { S4 } = JSON.parse(readFileSync("contract/operations.json", "utf8"));
  expect(S4.operations.map(({ path }: { path: string }) => path)).toEqual(
    everyForm.map((form) => `/translate/braille${form}`),
  );
});
