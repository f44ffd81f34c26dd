/** The admin interface's own credential rule: a bearer token of an admin account. */
import { kernelErrors } from "#kernel/operation";
import { bearer, plain } from "#kernel/protocols";

export const adminProtocol = plain({
  scheme: {
    security: bearer.security,
    async authenticate(call, tools) {
      const authenticated = await bearer.authenticate(call, tools);
      if (!authenticated.principal.admin)
        throw kernelErrors.forbidden("Only tokens of an admin account open this interface.");
      return authenticated;
    },
  },
});

export const adminPermission = "medley:Administer";
