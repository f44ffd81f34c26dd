/** All operations that a browser visits. */
import { operationGroup } from "#kernel/operation";
import { accountOperations } from "./account.ts";
import { authorizeOperations } from "./authorize.ts";
import { dashboardOperations } from "./dashboard.ts";
import { decisionOperations } from "./decisions.ts";
import { passwordOperations } from "./passwords.ts";
import { sessionOperations } from "./session.ts";
import { signInOperations } from "./sign-in.ts";
import { signUpOperations } from "./sign-up.ts";

/** Operations that answer with pages also answer errors with pages. */
export const operations = [
  ...operationGroup({ errorShape: "page" }, [
    ...authorizeOperations,
    ...decisionOperations,
    ...signInOperations,
    ...signUpOperations,
    ...passwordOperations,
    ...accountOperations,
    ...dashboardOperations,
  ]),
  ...sessionOperations,
];
