/** Names in archives: safe on every system, whatever a contribution is called. */
import { expect, it } from "vitest";
import { fileNameOf, jsonName, mediaName, textName } from "./names.ts";

const AT_MS = Date.UTC(2030, 4, 1);
const nameOf = (urlWords: string, id = "1m7fqc768") => fileNameOf({ id, urlWords, createdAtMs: AT_MS });

it.each([
  ["the-bridge", "2030-05-01-the-bridge-1m7fqc768"],
  ["", "2030-05-01-1m7fqc768"],
  ["../../etc/passwd", "2030-05-01-etc-passwd-1m7fqc768"],
  ["con", "2030-05-01-con-1m7fqc768"],
  ["C:\\nul.txt\0", "2030-05-01-C-nul-txt-1m7fqc768"],
  ["ends with a dot. ", "2030-05-01-ends-with-a-dot-1m7fqc768"],
  ["ünïcödé 洪水", "2030-05-01-n-c-d-1m7fqc768"],
])("%j becomes %s", (urlWords, name) => expect(nameOf(urlWords)).toBe(name));

it("is short, and holds nothing of an id that is no letter or digit", () => {
  const wordsOf = (length: number) => /x+/.exec(nameOf("x".repeat(length)))?.[0].length;
  expect([49, 50, 51].map(wordsOf)).toEqual([49, 50, 50]);
  const name = nameOf("x".repeat(500), "a/../b:c");
  expect(name).toMatch(/^[A-Za-z0-9-]{1,90}$/);
  expect([textName(name), jsonName(name), mediaName(name, 8, "jpg")]).toEqual([
    `texts/${name}.txt`,
    `json/${name}.json`,
    `media/${name}-09.jpg`,
  ]);
});
