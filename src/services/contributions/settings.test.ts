/** The size of media that may be set. */
import { expect, it } from "vitest";
import { ConfigError } from "#kernel/config";
import { contributionsSettings } from "./settings.ts";

it("is 1 MB to 1 GB", () => {
  const read = (megabytes: number) => () => contributionsSettings[0]?.read(String(megabytes));
  for (const megabytes of [1, 1024]) expect(read(megabytes)()).toBe(megabytes);
  for (const megabytes of [0, 1025]) expect(read(megabytes)).toThrow(ConfigError);
});
