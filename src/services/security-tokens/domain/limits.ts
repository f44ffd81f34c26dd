/** How much there may be, and how long it lasts. */
import { errors } from "../errors.ts";

/** Per account. */
export const ROLES_MAX = 1000;
/** Per account, of those that have not expired. */
export const SESSIONS_MAX = 5000;
export const SECONDS_MIN = 900;
export const ROLE_SECONDS_MAX = 43_200;
export const ROLE_SECONDS = 3600;
/** Of a role that was assumed with the keys of another. */
const CHAINED_SECONDS_MAX = 3600;
const TOKEN_SECONDS_MAX = 129_600;
const TOKEN_SECONDS = 43_200;
/** So long after its end a session is still told that it has expired. */
export const EXPIRED_KEPT_MS = 3_600_000;

export function checkRoom(roles: number): void {
  if (roles >= ROLES_MAX) throw errors.limitExceeded(`An account has ${ROLES_MAX} roles at the most.`);
}
export function checkSessions(sessions: number): void {
  if (sessions >= SESSIONS_MAX)
    throw errors.throttled(`An account has ${SESSIONS_MAX} sessions at a time at the most.`);
}

function inBounds(seconds: number, max: number): number {
  const says =
    seconds < SECONDS_MIN
      ? `greater than or equal to ${SECONDS_MIN}`
      : seconds > max
        ? `less than or equal to ${max}`
        : undefined;
  if (says === undefined) return seconds;
  throw errors.validation(
    `1 validation error detected: Value '${seconds}' at 'durationSeconds' failed to satisfy constraint: ` +
      `Member must have value ${says}`,
  );
}
export const tokenSeconds = (wanted = TOKEN_SECONDS): number => inBounds(wanted, TOKEN_SECONDS_MAX);
export function roleSeconds(wanted: number | undefined, max: number, isChained: boolean): number {
  const seconds = inBounds(wanted ?? ROLE_SECONDS, ROLE_SECONDS_MAX);
  if (isChained && seconds > CHAINED_SECONDS_MAX)
    throw errors.validation(
      "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.",
    );
  if (seconds > max)
    throw errors.validation(
      "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.",
    );
  return seconds;
}
