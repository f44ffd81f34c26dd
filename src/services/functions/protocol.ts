/** googleapis, and addresses that need no further credential. */
import { kernelErrors } from "#kernel/operation";
import { googleapis, type Protocol } from "#kernel/protocols";
import { errors } from "./errors.ts";
import { findLink } from "./links.ts";

const SCOPES = {
  upload: "cloudfunctions.functions.sourceCodeSet",
  download: "cloudfunctions.functions.sourceCodeGet",
} as const;

export const protocol: Protocol = {
  ...googleapis,
  authenticationErrors: [errors.invalidArgument, errors.permissionDenied],
  authenticate(call, tools, params, state) {
    if (params.link === undefined) return googleapis.authenticate(call, tools, params, state);
    if (call.headers.authorization !== undefined)
      throw errors.invalidArgument("This address carries its own authority: send no Authorization header.");
    const link = findLink(tools.accounts.secrets, params.link);
    if (!link) throw kernelErrors.unauthenticated("The address is not one that was given out here.");
    if (link.expiresAtMs <= tools.clock.nowMs()) throw errors.permissionDenied("The address has expired.");
    const { account, purpose } = link;
    return {
      principal: { account, name: purpose, credentialKind: "link", admin: false, scopes: [SCOPES[purpose]] },
    };
  },
};
