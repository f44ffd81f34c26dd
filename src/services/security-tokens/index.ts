/** Security tokens: who a signed caller is, and keys that last for a session. Every signed service takes them. */
import { defineService, provide } from "#kernel/operation";
import { sigv4Query } from "#kernel/protocols";
import { roles } from "#ports/roles";
import { sessionKeys } from "#ports/session-keys";
import { keepRole } from "./actions/roles.ts";
import { consoleViews } from "./console.ts";
import { migrations } from "./migrations.ts";
import { actionOperations, NAMESPACE } from "./operations/actions.ts";
import { roleOperations } from "./operations/roles.ts";
import { seed } from "./seed.ts";
import { findSessionKey } from "./sessions.ts";
import { tables } from "./tables.ts";

export default defineService({
  name: "security-tokens",
  title: "Security tokens",
  summary:
    "Tells signed clients who they are, and lends them keys for a session, in a role or as themselves.",
  mount: "/sts",
  protocol: sigv4Query({ signingName: "sts", namespace: NAMESPACE }),
  operations: [...actionOperations, ...roleOperations],
  migrations,
  tables,
  sealedColumns: { security_tokens_session: ["secret", "token"] },
  provides: [
    provide(sessionKeys, (own) => ({ find: (context, id) => findSessionKey(own(context), id) })),
    provide(roles, (own) => ({
      ensure: (context, wanted) =>
        context.transact(async (inner) => {
          for (const { name, ...role } of wanted) await keepRole(own(inner), name, role);
        }),
    })),
  ],
  console: consoleViews,
  seed,
});
