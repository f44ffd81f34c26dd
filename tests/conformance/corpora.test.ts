/** The tool that holds the product against public corpora, run on a corpus of one file. The corpora are not here. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const FEED = `<!--
Description: an entry has a title
Expect:      not bozo and entries[0]['title'] == 'First light'
-->
<rss version="2.0"><channel><item><title>First light</title></item></channel></rss>`;

it("the figures of a corpus of feeds count what is read correctly", () => {
  const folder = mkdtempSync(join(tmpdir(), "medley-corpora-"));
  try {
    writeFileSync(join(folder, "title.xml"), FEED);
    const printed = execFileSync(process.execPath, ["tools/corpora.mjs", "feeds", folder], {
      encoding: "utf8",
    });
    expect(printed.split("\n")).toEqual(
      expect.arrayContaining(["files: 1", "values right: 1 of 1 (100.0 %)", "crashes: 0"]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
