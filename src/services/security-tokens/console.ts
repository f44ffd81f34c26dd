/** What the console shows. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { listRoles, listSessions } from "./store.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Roles",
    madeBy: "security-tokens.roles.put",
    columns: ["Name", "Policy", "Trusted accounts", "Longest session", "Changed"],
    async rows({ db, account }, limit) {
      const roles = await listRoles(db, account, { limit });
      return roles.map(({ name, policy, trusted, seconds_max, updated_at }) => [
        name,
        policy === null ? "as its account" : "its own",
        JSON.parse(trusted).join(", "),
        `${Math.round(seconds_max / 60)} min`,
        isoOf(updated_at),
      ]);
    },
  },
  {
    title: "Sessions",
    madeBy: "security-tokens.call",
    columns: ["Access key", "Stands for", "Got with", "Made", "Ends"],
    async rows({ db, account, clock }, limit) {
      const sessions = await listSessions(db, account, { afterMs: clock.nowMs(), limit });
      return sessions.map(({ id, name, issued_to, created_at, expires_at }) => [
        id,
        name,
        issued_to ?? "",
        isoOf(created_at),
        isoOf(expires_at),
      ]);
    },
  },
];
