/** Errors, with the titles of the public service. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidSeason: ["Invalid Season Requested", 400],
  malformedParameter: ["Malformed Parameter Format In Request", 400],
  missingParameter: ["Missing Parameter In Request", 400],
  invalidVersion: ["Invalid API Version Requested", 400],
  invalidEvent: ["Invalid Event Requested", 404],
  notThere: ["Nothing To Remove", 404],
  forbiddenCombination: ["Request Did Not Match Any Current API Pattern", 501],
  notEntered: ["Entry Does Not Fit What Is There", 409],
});

const REQUIRED = /^The (?:path|query) parameter \w+ is required/;

/** Separates missing parameters from malformed ones. */
export const inputError: typeof errors.malformedParameter = Object.assign(
  (...[message, extras]: Parameters<typeof errors.malformedParameter>) =>
    REQUIRED.test(message)
      ? errors.missingParameter(message, extras)
      : errors.malformedParameter(message, extras),
  {
    code: errors.malformedParameter.code,
    status: errors.malformedParameter.status,
  },
);
