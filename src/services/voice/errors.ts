/** Errors of this service, and its names for kernel errors. */
import { defineErrors, type Service } from "#kernel/operation";

export const errors = defineErrors({
  badRequest: ["BadRequestException", 400],
  notFound: ["NotFoundException", 404],
  alreadyExists: ["AlreadyExistsException", 409],
  limitExceeded: ["LimitExceededException", 412],
  tooManyRequests: ["TooManyRequestsException", 429],
});

export const errorNames: Service["errorNames"] = {
  malformedBody: ["BadRequestException", 400],
  invalidInput: ["BadRequestException", 400],
  routeNotFound: ["NotFoundException", 404],
  bodyTooLarge: ["BadRequestException", 413],
  unsupportedMediaType: ["BadRequestException", 415],
  throttled: ["TooManyRequestsException", 429],
  timedOut: ["InternalServiceErrorException", 503],
  unavailable: ["InternalServiceErrorException", 503],
  internal: ["InternalServiceErrorException", 500],
};
