/** Errors of this service, and its names for errors of the kernel. */
import { badInputNames, defineErrors, type KernelErrorName } from "#kernel/operation";

export const errors = defineErrors({
  invalidRequest: ["InvalidRequestException", 400],
  notFound: ["ResourceNotFoundException", 404],
  alreadyExists: ["ResourceAlreadyExistsException", 409],
  inUse: ["ResourceInUseException", 409],
  limitExceeded: ["LimitExceededException", 410],
});

const UNAVAILABLE = ["ServiceUnavailableException", 503] as const;

export const errorNames: Partial<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  ...badInputNames(["InvalidRequestException", 400]),
  conflict: ["ResourceInUseException", 409],
  throttled: ["ThrottlingException", 429],
  timedOut: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  internal: ["InternalFailureException", 500],
};
