import { expect, it } from "vitest";
import { parseDuration } from "./durations.ts";

it("episodes of up to ten days have a length", () => {
  for (const text of ["864000", "240:00:00", "240h"])
    expect([text, parseDuration(text)]).toEqual([text, 864_000]);
  for (const text of ["864001", "240:00:01", "240h 1s", "0"])
    expect([text, parseDuration(text)]).toEqual([text, 0]);
});
