/** All operations of connect, which applications call without a person's browser. */
import { clientDeletionOperations } from "./client-deletion.ts";
import { discoveryOperations } from "./discovery.ts";
import { tokenOperations } from "./token.ts";
import { userinfoOperations } from "./userinfo.ts";

export const operations = [
  ...tokenOperations,
  ...userinfoOperations,
  ...clientDeletionOperations,
  ...discoveryOperations,
];
