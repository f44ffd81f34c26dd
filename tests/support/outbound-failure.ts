import { expect } from "vitest";
import { OutboundError } from "../../src/kernel/outbound/index.ts";

/** What an outbound request fails with. */
export async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
}
