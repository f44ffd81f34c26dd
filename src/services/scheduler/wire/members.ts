/** Members that several schemas of the scheduler share. */
import { Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { given, ruled, says } from "#kernel/shape";
import { findDurationMs, findInstant } from "../domain/index.ts";

const NAME_LENGTH_MAX = 260;
const TEXT_LENGTH_MAX = 2_048;
const TIME_LENGTH_MAX = 64;
/** A certificate file with its key is the longest secret. The whole job has a separate limit. */
const SECRET_LENGTH_MAX = 16_384;

/** Description and example of a member. */
export const about = (description: string, example: unknown) => ({ description, examples: [example] });

/** A required, non-empty text. */
export const text = (description: string, example: string, lengthMax = TEXT_LENGTH_MAX) =>
  Type.String({ minLength: 1, maxLength: lengthMax, ...about(description, example) });
export const name = (description: string, example: string) => text(description, example, NAME_LENGTH_MAX);
/** An optional text. An empty one counts as omitted. */
export const optionalText = (description: string, example: string, lengthMax = NAME_LENGTH_MAX) =>
  given(Type.String({ maxLength: lengthMax, ...about(description, example) }), { empty: true });
/** Never shown. If omitted, the stored secret of the same path is kept. */
export const secretText = (description: string, example: string) =>
  given(secret(Type.String({ maxLength: SECRET_LENGTH_MAX, ...about(description, example) })), {
    empty: true,
  });

const DATE_TIME_SAYS = "must be an ISO 8601 date-time such as 2030-01-31T08:00:00Z";
export const instant = (description: string) =>
  ruled(
    says(
      Type.String({ maxLength: TIME_LENGTH_MAX, ...about(description, "2030-01-31T08:00:00Z") }),
      DATE_TIME_SAYS,
    ),
    {
      name: "dateTime",
      says: DATE_TIME_SAYS,
      check: (value: string) => findInstant(value) !== undefined,
    },
  );

type Span = { readonly msMin?: number; readonly msMax?: number };
/** `wanted` is the error text: "must be an ISO 8601 duration …". */
export const duration = (
  description: string,
  example: string,
  wanted: string,
  { msMin = 0, msMax = Number.MAX_SAFE_INTEGER }: Span = {},
) =>
  ruled(says(Type.String({ maxLength: TIME_LENGTH_MAX, ...about(description, example) }), wanted), {
    name: "duration",
    says: wanted,
    check(value: string) {
      const ms = findDurationMs(value);
      return ms !== undefined && ms >= msMin && ms <= msMax;
    },
  });
