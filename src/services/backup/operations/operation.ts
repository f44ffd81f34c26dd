/** Code that all operations of this service share. */
import { type ErrorExtras, type ErrorMaker, operationsFor } from "#kernel/operation";
import type { PageRequest } from "#kernel/paging";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables/index.ts";
import { PAGE_SIZE_MAX } from "../wire/names.ts";

/** A missing parameter has an error of its own. */
const inputError: ErrorMaker = Object.assign(
  (message: string, extras?: ErrorExtras) =>
    / is required\b/.test(message)
      ? errors.missingParameterValue(message, extras)
      : errors.invalidParameterValue(message, extras),
  { code: errors.invalidParameterValue.code, status: errors.invalidParameterValue.status },
);
const declare = operationsFor<Tables, State>();
/** Every operation with input can refuse it as invalid. */
export const operation: typeof declare = (spec) =>
  declare({
    inputError,
    ...spec,
    errors: [
      ...new Set([...(spec.errors ?? []), errors.invalidParameterValue, errors.missingParameterValue]),
    ],
  });

/** Errors of every operation that starts a job. */
export const startErrors = [
  errors.notFound,
  errors.invalidParameterValue,
  errors.missingParameterValue,
  errors.invalidRequest,
  errors.accessDenied,
];

/** Most lists use `maxResults`; lists of audits and restore tests use `MaxResults`. */
type AskedPage = {
  readonly maxResults?: number | undefined;
  readonly nextToken?: string | undefined;
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
};
/** Tokens are hexadecimal: in a query a plus sign would arrive as a blank. */
export const pageRequestOf = (asked: AskedPage, filter: unknown): PageRequest => ({
  size: asked.maxResults ?? asked.MaxResults ?? PAGE_SIZE_MAX,
  token: asked.nextToken ?? asked.NextToken,
  filter,
  encoding: "hex",
  invalid: errors.invalidParameterValue,
});
