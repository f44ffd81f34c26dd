/** One more person besides Ann. */
import type { Person } from "./identity-browser.ts";
import { accounts, type Instance } from "./medley.ts";

export const bob: Person = { username: "bob", password: "bob-password-1" };

/** As an owner adds people: by credentials that name them. */
export const addBob = (instance: Instance) =>
  instance.bearer("POST", "/_medley/credentials", {
    body: {
      accounts: [{ ...accounts.first, users: [{ ...bob, name: "Bob Example", email: "bob@example.org" }] }],
    },
  });
