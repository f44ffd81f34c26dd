/** Undeclared answers and errors. Tests find them, and callers never get them as they are. */
import { isDatabaseAway, isDiskFull, isOutOfRange } from "../db/database.ts";
import type { Recorder } from "../observe/record.ts";
import type { Answer } from "../operation/answers.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import type { OperationInput } from "../operation/operation.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { CompiledOperation } from "./compiled-operation.ts";
import { isDeclared } from "./known-errors.ts";
import type { Route } from "./mounts.ts";

/** A stack trace adds nothing for a lost database or a full disk: one line is enough. */
function logTextOf(error: unknown, inOneLine: boolean): string {
  if (!(error instanceof Error)) return String(error);
  return inOneLine ? (error.message.split("\n")[0] ?? "") : (error.stack ?? error.message);
}

/** The answer to an unexpected failure. */
export function unexpected(
  error: unknown,
  kernel: Kernel,
  operation: string | undefined,
  id: string,
): ServiceError {
  if (isOutOfRange(error)) return kernelErrors.invalidInput("A number is too large to be kept.");
  const text = logTextOf(error, isDiskFull(error) || isDatabaseAway(error));
  kernel.log.error("a request failed", { id, operation, error: text });
  if (isDiskFull(error))
    return kernelErrors.unavailable("The disk is full: nothing can be written until there is room.");
  if (isDatabaseAway(error)) return kernelErrors.unavailable("The database does not answer; try again.");
  return kernelErrors.internal(kernel.config.strictAnswers ? text : "Something went wrong on our side.");
}

/** An error that is no ServiceError is our bug: logged in full, and the caller gets only a general message. */
export function knownFailure(
  error: unknown,
  kernel: Kernel,
  route: Route | undefined,
  requestId: string,
): ServiceError {
  const operation = route?.compiled.operation;
  if (!(error instanceof ServiceError)) return unexpected(error, kernel, operation?.id, requestId);
  if (!kernel.config.strictAnswers || !route || !operation) return error;
  if (isDeclared(error, operation, route.service)) return error;
  const text = `an undeclared error: ${error.kind.status} ${error.kind.code}: ${error.message}`;
  kernel.recorder?.violation(operation.id, text);
  return kernelErrors.internal(text);
}

/** Throws if an answer is not what its operation declares. */
export function checkAnswer(
  answer: Answer,
  input: OperationInput,
  compiled: CompiledOperation,
  recorder: Recorder | undefined,
): void {
  const problem = compiled.findAnswerProblem(answer.status, answer.body);
  const secret = compiled.findAnsweredSecret(input.body, answer.body);
  if (problem === undefined && secret === undefined) return;
  const text = problem
    ? `its answer breaks its declaration: ${problem}`
    : `its answer tells the secret ${secret}`;
  recorder?.violation(compiled.operation.id, text);
  throw new Error(`${compiled.operation.id}: ${text}`);
}
