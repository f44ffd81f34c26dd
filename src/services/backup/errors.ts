/** Errors of this service, and the names it uses for the kernel's errors. */
import { badInputNames, defineErrors, type KernelErrorName } from "#kernel/operation";

export const errors = defineErrors({
  alreadyExists: ["AlreadyExistsException", 400],
  conflict: ["ConflictException", 400],
  invalidParameterValue: ["InvalidParameterValueException", 400],
  invalidRequest: ["InvalidRequestException", 400],
  invalidResourceState: ["InvalidResourceStateException", 400],
  limitExceeded: ["LimitExceededException", 400],
  missingParameterValue: ["MissingParameterValueException", 400],
  notFound: ["ResourceNotFoundException", 400],
  accessDenied: ["AccessDeniedException", 403],
});

const UNAVAILABLE = ["ServiceUnavailableException", 503] as const;

export const errorNames: Partial<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  ...badInputNames(["InvalidParameterValueException", 400]),
  forbidden: ["AccessDeniedException", 403],
  conflict: ["ConflictException", 400],
  throttled: ["ThrottlingException", 429],
  timedOut: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  internal: ["InternalFailureException", 500],
};
