/** Users in the resource catalogue, which holds their tags. */
import type { ResourceKind } from "#kernel/operation";
import { USER_TYPE } from "./access/index.ts";

export const resourceKinds: readonly ResourceKind[] = [{ type: USER_TYPE }];
