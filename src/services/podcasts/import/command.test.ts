/** `medley podcasts import`: how much it tells and reads. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { medley } from "../../../../tests/support/command-line.ts";
import { readSource } from "./sources.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-podcasts-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("tells fifty refusals, and how many more there are", async () => {
  const feeds = join(folder, "feeds");
  mkdirSync(feeds);
  const importing = async (count: number) => {
    for (let feed = 0; feed < count; feed += 1)
      writeFileSync(join(feeds, `${feed}.xml`), "<rss><channel></channel></rss>");
    const { code, output } = await medley("podcasts", "import", feeds, "--data", join(folder, "data"));
    expect([code, output.split("\n")[0]]).toEqual([1, `0 podcasts listed, ${count} rejected, 0 in review`]);
    return [output.match(/has no title/g)?.length, /and \d+ more/.exec(output)?.[0]];
  };
  expect(await importing(50)).toEqual([50, undefined]);
  expect(await importing(51)).toEqual([50, "and 1 more"]);
});

it("reads files of 64 MB", async () => {
  const path = join(folder, "feed.xml");
  const kindOf = async (bytes: number) => {
    writeFileSync(path, "<rss>");
    truncateSync(path, bytes);
    return (await readSource(path, "feed.xml")).kind;
  };
  const most = 64 * 1024 * 1024;
  expect([await kindOf(most), await kindOf(most + 1)]).toEqual(["feed", "other"]);
});
