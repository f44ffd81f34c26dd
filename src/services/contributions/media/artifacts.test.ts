import { expect, it } from "vitest";
import { jpegOfScans, jpegWithExif } from "../../../../tests/support/scans.ts";
import { createArtifactMaker } from "./index.ts";

it("a JPEG of more than 100 scans gets a placeholder", async () => {
  const maker = createArtifactMaker();
  const problemOf = async (scans: number) => {
    const task = { picture: [jpegOfScans(scans)], format: "jpeg", width: 64, height: 64 } as const;
    return (await maker.run(task)).problem;
  };
  expect([await problemOf(100), await problemOf(101)]).toEqual([
    undefined,
    "The JPEG has more than 100 scans.",
  ]);
  await maker.close();
});
it("a picture of more than 1000 entries of EXIF gets a placeholder", async () => {
  const maker = createArtifactMaker();
  const picture = [jpegWithExif(jpegOfScans(1), 5000)];
  const { problem } = await maker.run({ picture, format: "jpeg", width: 64, height: 64 });
  expect(problem).toBe("The picture has more than 1000 entries of EXIF.");
  await maker.close();
});
