/** The memory of indexes that may be set. */
import { expect, it } from "vitest";
import { ConfigError } from "#kernel/config";
import { faceSettings } from "./settings.ts";

it("is 256 MB to 64 GB", () => {
  const read = (megabytes: number) => () => faceSettings[0]?.read(String(megabytes));
  for (const megabytes of [256, 65_536]) expect(read(megabytes)()).toBe(megabytes);
  for (const megabytes of [255, 65_537]) expect(read(megabytes)).toThrow(ConfigError);
});
