/** Errors of this service, and its names for errors of the kernel. */
import { badInputNames, defineErrors, type KernelErrorName } from "#kernel/operation";

export const errors = defineErrors({
  badRequest: ["BadRequestException", 400],
  notFound: ["NotFoundException", 404],
});

const BAD_REQUEST = ["BadRequestException", 400] as const;
const UNAVAILABLE = ["ServiceUnavailableException", 503] as const;

export const errorNames: Readonly<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  ...badInputNames(BAD_REQUEST),
  unauthenticated: ["MissingAuthenticationTokenException", 403],
  forbidden: ["ForbiddenException", 403],
  routeNotFound: ["NotFoundException", 404],
  methodNotAllowed: ["MethodNotAllowedException", 405],
  urlTooLong: BAD_REQUEST,
  headersTooLarge: BAD_REQUEST,
  conflict: BAD_REQUEST,
  throttled: ["TooManyRequestsException", 429],
  timedOut: UNAVAILABLE,
  unavailable: UNAVAILABLE,
  internal: ["InternalServerErrorException", 500],
};
