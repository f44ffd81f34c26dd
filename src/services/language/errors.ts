/** Errors. The published interface has one code for every invalid request. */
import { defineErrors, type KernelErrorName } from "#kernel/operation";

export const errors = defineErrors({
  badArgument: ["BadArgument", 400],
  /** Of predictions alone. */
  notFound: ["NotFound", 404],
});

const BAD_ARGUMENT = ["BadArgument", 400] as const;

export const errorNames: Partial<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  malformedBody: BAD_ARGUMENT,
  invalidInput: BAD_ARGUMENT,
  unauthenticated: ["401", 401],
  throttled: ["429", 429],
};
