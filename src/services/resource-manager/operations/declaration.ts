/** What the operations of the resource manager declare alike. */
import type { TProperties } from "@sinclair/typebox";
import type { ErrorKind } from "#kernel/operation";
import {
  apiVersionQuery,
  commonErrors,
  paramsOf,
  RESOURCE_MANAGER,
  RESOURCES_NAMESPACE,
  resourceAt,
} from "#kernel/resource-provider";

/** The version that descriptions name; the shapes are the same in all of them. */
const VERSION_SHOWN = "2021-04-01";

/** Subscriptions and groups have kept their shapes over all of these. */
export const API_VERSIONS = [
  VERSION_SHOWN,
  "2014-04-01",
  "2015-11-01",
  "2016-02-01",
  "2016-06-01",
  "2016-09-01",
  "2017-05-10",
  "2018-02-01",
  "2018-05-01",
  "2018-06-01",
  "2019-03-01",
  "2019-05-01",
  "2019-05-10",
  "2019-06-01",
  "2019-07-01",
  "2019-08-01",
  "2019-10-01",
  "2019-11-01",
  "2020-01-01",
  "2020-06-01",
  "2020-08-01",
  "2020-10-01",
  "2021-01-01",
  "2022-09-01",
  "2022-12-01",
  "2023-07-01",
  "2024-03-01",
  "2024-07-01",
  "2024-11-01",
  "2025-03-01",
  "2025-04-01",
];

export const versionedQuery = <T extends TProperties>(members: T) => apiVersionQuery(members, VERSION_SHOWN);

type Declaration = {
  readonly id: string;
  readonly path: string;
  readonly permission: string;
  readonly errors?: readonly ErrorKind[];
};
export const declaration = ({ id, path, permission, errors = [] }: Declaration) => ({
  id: `${RESOURCE_MANAGER}.${id}`,
  path,
  params: paramsOf(path),
  query: versionedQuery({}),
  permission: `${RESOURCES_NAMESPACE}/${permission}`,
  errors: [...commonErrors, ...errors],
  resource: resourceAt(path),
});
