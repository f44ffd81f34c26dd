/** All operations that answer with pages. */
import { accountOperations } from "./operations/account.ts";
import { dashboardOperations } from "./operations/dashboard.ts";
import { decisionOperations } from "./operations/decisions.ts";
import { passwordOperations } from "./operations/passwords.ts";
import { signInOperations } from "./operations/sign-in.ts";
import { signUpOperations } from "./operations/sign-up.ts";

export const pageOperations = [
  ...decisionOperations,
  ...signInOperations,
  ...signUpOperations,
  ...passwordOperations,
  ...accountOperations,
  ...dashboardOperations,
];
