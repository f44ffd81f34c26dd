/** What can go wrong, and how the kernel's own errors are named here. */
import { defineErrors, type KernelErrorName } from "#kernel/operation";

export const errors = defineErrors({
  invalidRequest: ["InvalidRequestException", 400],
  notFound: ["ResourceNotFoundException", 404],
  alreadyExists: ["ResourceAlreadyExistsException", 409],
  inUse: ["ResourceInUseException", 409],
  limitExceeded: ["LimitExceededException", 410],
});

const INVALID = ["InvalidRequestException", 400] as const;
const UNAVAILABLE = ["ServiceUnavailableException", 503] as const;

export const errorNames: Partial<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  malformedBody: INVALID,
  invalidInput: INVALID,
  bodyTooLarge: INVALID,
  unsupportedMediaType: INVALID,
  conflict: ["ResourceInUseException", 409],
  throttled: ["ThrottlingException", 429],
  timedOut: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  internal: ["InternalFailureException", 500],
};
