/** The declaration language of Medley. */
export { Answer, answer, finishedJson, isNoBody, media, mediaTypesOf, noBody } from "./answers.ts";
export { type StreamedBody, streamedBody } from "./bodies.ts";
export type { ConsoleView, Drawing, Widget } from "./console-view.ts";
export type { Context, Principal, RequestInfo } from "./context.ts";
export {
  badInputNames,
  defineErrors,
  type ErrorExtras,
  type ErrorKind,
  type ErrorMaker,
  type KernelErrorName,
  kernelErrors,
  ServiceError,
  sameKind,
} from "./errors.ts";
export type { Gateway, PassingRequest } from "./gateway.ts";
export { ImportsUnderWay, importRow, importsView, type Reached } from "./imports-under-way.ts";
export { type AnyJob, type Job, type JobAttempt, jobsFor, type Repeat } from "./job.ts";
export { oncePerRequest } from "./once-per-request.ts";
export {
  anyone,
  type BodyKind,
  type Method,
  type Operation,
  type OperationExamples,
  type OperationInput,
  type OperationSpec,
  operationGroup,
  operationsFor,
  type UploadedFile,
} from "./operation.ts";
export { type OutboxListener, outboxListeners } from "./outbox-listeners.ts";
export { HOP_BY_HOP, hasBody, namedByConnection } from "./passing-head.ts";
export { allOffers, defineJoinedPort, definePort, firstAnswer, type Port, sumOfAnswers } from "./port.ts";
export { type OwnContext, type ProvidedPort, provide } from "./provided-port.ts";
export {
  byTwoCalls,
  type FindRelated,
  type OwnCall,
  type Related,
  type ResourceKind,
  type TagChange,
} from "./resource-kind.ts";
export { secret } from "./secrets.ts";
export {
  defineService,
  figuresOf,
  type Instance,
  type Migration,
  operationCountOf,
  type Service,
} from "./service.ts";
export { type SharedWords, wordsFrom } from "./shared-words.ts";
export type { PlannedJob, WorkKind } from "./work.ts";
