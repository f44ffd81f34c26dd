/** The operations that a resource type's declaration leads to. */
import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import { noBody } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import type { ErrorKind } from "../operation/errors.ts";
import type { Method, Operation } from "../operation/operation.ts";
import { answerDelete, answerPatch, answerPut, notFound, refuseWhileBusy } from "./change.ts";
import { conditionHeadersOf } from "./conditions.ts";
import { descriptionOf, pluralOf } from "./descriptions.ts";
import { commonErrors, managementErrors } from "./errors.ts";
import type { ListScope } from "./pages.ts";
import { requireParent } from "./parents.ts";
import {
  collectionPathOf,
  collectionPlaceOf,
  hasOtherNames,
  itemPathOf,
  itemPlaceOf,
  nameWordsOf,
  type PathParams,
  paramsOf,
  providerPath,
  requireSubscription,
  resolvedParams,
  resourceAt,
} from "./place.ts";
import { answerGet, answerHead, answerList, getResource } from "./read.ts";
import { findById } from "./records.ts";
import { type Declared, declaredOf } from "./registry.ts";
import type { Action, LinkedList, Place, Properties } from "./types.ts";
import { apiVersionQuery, listOf } from "./wire.ts";

const TOP_MAX = 1000;
const READ_ERRORS: readonly ErrorKind[] = [
  ...commonErrors,
  managementErrors.resourceNotFound,
  managementErrors.parentNotFound,
];
const WRITE_ERRORS: readonly ErrorKind[] = [
  ...READ_ERRORS,
  managementErrors.invalidGroupName,
  managementErrors.groupNotFound,
  managementErrors.groupBeingDeleted,
  managementErrors.invalidName,
  managementErrors.invalidLocation,
  managementErrors.invalidTags,
  managementErrors.nameTaken,
  managementErrors.operationInProgress,
  managementErrors.preconditionFailed,
];

type Shape = Pick<Operation, "answers"> &
  Partial<Pick<Operation, "headers" | "body" | "bodyOptional" | "errors">> & {
    readonly verb: string;
    readonly method: Method;
    readonly path: string;
    readonly summary: string;
    readonly description?: string;
    readonly permission: string;
    readonly query?: TProperties;
    readonly pathWords?: Action["pathWords"];
    handle(
      input: { params: Record<string, string>; query: Properties; body: Properties },
      context: Context,
    ): unknown;
  };

function operation(declared: Declared, shape: Shape): Operation {
  const { type, provider, fullType } = declared;
  const { verb, query, pathWords, errors = [], handle, ...rest } = shape;
  const permission = `${fullType}/${shape.permission}`;
  const resource = resourceAt(shape.path);
  /** A denied resource must not be open under another of its names. */
  const handleUnderAnyName: typeof handle = async (input, context) => {
    const stored = await resolvedParams(context, declared, input.params);
    if (stored !== input.params) await context.requirePermission(permission, resource({ params: stored }));
    return handle(input, context);
  };
  return {
    ...rest,
    id: `${provider.name}.${type.idWords}.${verb}`,
    permission,
    params: paramsOf(shape.path, { ...nameWordsOf(type), ...pathWords }),
    query: apiVersionQuery(query, provider.apiVersions[0]),
    errors: [...errors, ...(type.errors ?? []), ...(provider.errors ?? [])],
    resource,
    handle: hasOtherNames(declared.type) ? handleUnderAnyName : handle,
  };
}

const withArticle = (title: string): string => `${/^[aeio]/i.test(title) ? "an" : "a"} ${title}`;
const oneOf = ({ title }: Declared["type"]): string => withArticle(title);
/** A title such as `policy of an API` names the parent already. */
const allOf = ({ title, parent }: Declared["type"]): string =>
  title.includes(" of ")
    ? pluralOf(title)
    : `${pluralOf(title)} of ${withArticle(parent?.title ?? "resource group")}`;
const placeOf = async (context: Context, declared: Declared, params: PathParams): Promise<Place> =>
  itemPlaceOf(declared, await resolvedParams(context, declared, params));

function readOperations(declared: Declared): Operation[] {
  const { type } = declared;
  const path = itemPathOf(declared);
  const shared = { path, permission: "read", errors: READ_ERRORS };
  const operations = [
    operation(declared, {
      ...shared,
      verb: "get",
      method: "GET",
      summary: `Reads ${oneOf(type)}.`,
      ...descriptionOf(declared, "get"),
      query: type.getQuery?.properties ?? {},
      answers: { 200: type.wire.answer },
      handle: async ({ params, query }, context) =>
        answerGet(context, declared, await placeOf(context, declared, params), query),
    }),
  ];
  if (type.head)
    operations.push(
      operation(declared, {
        ...shared,
        verb: "head",
        method: "HEAD",
        summary: `Reads the entity tag of ${oneOf(type)}.`,
        ...descriptionOf(declared, "head"),
        answers: { 200: noBody },
        handle: async ({ params }, context) =>
          answerHead(context, declared, await placeOf(context, declared, params)),
      }),
    );
  return operations;
}

function putOperation(declared: Declared, body: TObject): Operation {
  const { type } = declared;
  const { created = 201, updated = 200, acceptedCreate, acceptedUpdate } = type.statuses?.put ?? {};
  const statuses = [created, updated, acceptedCreate, acceptedUpdate].filter(
    (status) => status !== undefined,
  );
  return operation(declared, {
    verb: "put",
    method: "PUT",
    path: itemPathOf(declared),
    summary: `Creates or updates ${oneOf(type)}.`,
    ...descriptionOf(declared, "put"),
    ...conditionHeadersOf(type, "PUT"),
    permission: "write",
    body,
    errors: WRITE_ERRORS,
    answers: answersOf(statuses, type.wire.answer),
    ...(type.received && { transaction: "manual" as const }),
    async handle({ params, body: given }, context) {
      const put = async (within: Context, wanted: Properties) =>
        answerPut(within, declared, await placeOf(within, declared, params), wanted);
      if (!type.received) return put(context, given);
      const received = await type.received(given, context.account);
      return context.transact((inner) => put(inner, received));
    },
  });
}
function patchOperation(declared: Declared, body: TObject): Operation {
  const { type } = declared;
  const { done = 200, accepted = done, bodySince } = type.statuses?.patch ?? {};
  const statuses = [done, accepted, ...(bodySince === undefined ? [] : [200])];
  return operation(declared, {
    verb: "patch",
    method: "PATCH",
    path: itemPathOf(declared),
    summary: `Changes ${oneOf(type)}.`,
    ...descriptionOf(declared, "patch"),
    ...conditionHeadersOf(type, "PATCH"),
    permission: "write",
    body,
    errors: WRITE_ERRORS,
    answers: answersOf(statuses, type.wire.answer),
    handle: async ({ params, body: given }, context) =>
      answerPatch(context, declared, await placeOf(context, declared, params), given),
  });
}
const answersOf = (statuses: readonly number[], body: TObject): Operation["answers"] =>
  Object.fromEntries(statuses.map((status) => [status, status === 202 || status === 204 ? noBody : body]));

function deleteOperation(declared: Declared): Operation {
  const { type } = declared;
  const { done = 200, accepted = 202, absent = 204 } = type.statuses?.delete ?? {};
  const statuses = [done, ...(type.work?.delete ? [accepted] : []), ...(absent === 404 ? [] : [absent])];
  return operation(declared, {
    verb: "delete",
    method: "DELETE",
    path: itemPathOf(declared),
    summary: `Deletes ${oneOf(type)}.`,
    ...descriptionOf(declared, "delete"),
    ...conditionHeadersOf(type, "DELETE"),
    permission: "delete",
    query: type.deleteQuery?.properties ?? {},
    errors: WRITE_ERRORS,
    answers: Object.fromEntries(statuses.map((status) => [status, noBody])),
    handle: async ({ params, query }, context) =>
      answerDelete(context, declared, await placeOf(context, declared, params), query),
  });
}

function listQueryOf({ type }: Declared): TProperties {
  const { top, skip, query } = type.lists ?? {};
  const topRule = top ?? { min: 1, max: TOP_MAX };
  return {
    $skipToken: Type.Optional(Type.String({ maxLength: 2048 })),
    $top: Type.Optional(Type.Integer({ minimum: topRule.min, maximum: topRule.max })),
    ...(skip && { $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
    ...query?.properties,
  };
}
function listOperation(
  declared: Declared,
  shape: Pick<Shape, "verb" | "path" | "summary" | "description">,
  scopeOf: (params: Record<string, string>, context: Context) => Promise<ListScope>,
): Operation {
  const { type } = declared;
  return operation(declared, {
    ...shape,
    method: "GET",
    permission: "read",
    query: listQueryOf(declared),
    errors: [...READ_ERRORS, managementErrors.groupNotFound, ...(type.lists?.errors ?? [])],
    answers: { 200: type.wire.list ?? listOf(type.wire.answer) },
    async handle({ params, query }, context) {
      await requireSubscription(context, params.subscriptionId ?? "", declared.provider.says);
      return answerList(context, declared, await scopeOf(params, context), query);
    },
  });
}
function listOperations(declared: Declared): Operation[] {
  const { type, provider } = declared;
  const { bySubscription = false, byParent = true } = type.lists ?? {};
  const operations: Operation[] = [];
  if (byParent)
    operations.push(
      listOperation(
        declared,
        {
          verb: "list",
          path: collectionPathOf(declared),
          summary: `Lists the ${allOf(type)}.`,
          ...descriptionOf(declared, "list"),
        },
        async (params, context) => {
          const place = collectionPlaceOf(declared, await resolvedParams(context, declared, params));
          await requireParent(context, declared, place);
          return { parentKey: place.parentKey };
        },
      ),
    );
  if (bySubscription)
    operations.push(
      listOperation(
        declared,
        {
          verb: "list-by-subscription",
          path: `${providerPath(provider.namespace)}/${type.name}`,
          summary: `Lists the ${pluralOf(type.title)} of a subscription.`,
          ...descriptionOf(declared, "list-by-subscription"),
        },
        async ({ subscriptionId = "" }) => ({ subscriptionId }),
      ),
    );
  return operations;
}
/** Another type of the same provider, by its full name. */
function siblingOf({ provider }: Declared, fullType: string): Declared {
  const sibling = provider.types.map(declaredOf).find((one) => one.fullType === fullType);
  if (!sibling) throw new Error(`${provider.namespace} declares no type ${fullType}`);
  return sibling;
}
/** Listed are resources of another type, so their declaration shapes the answer. */
function linkedOperation(declared: Declared, linked: LinkedList): Operation {
  const of = linked.of();
  const listed = typeof of === "string" ? siblingOf(declared, of) : declaredOf(of);
  const { type } = declared;
  const path = `${itemPathOf(declared)}/${linked.name}`;
  return {
    ...listOperation(
      listed,
      {
        verb: `list-of-${type.idWords}`,
        path,
        summary: linked.summary,
        ...(linked.description !== undefined && { description: linked.description }),
      },
      async (params, context) => {
        const place = await placeOf(context, declared, params);
        const found = await findById(context, place.key);
        if (!found) throw linked.missing?.(place) ?? notFound(declared, place);
        return { link: place.key };
      },
    ),
    params: paramsOf(path, nameWordsOf(type)),
    errors: [
      ...READ_ERRORS,
      ...(type.errors ?? []),
      ...(listed.type.errors ?? []),
      ...(declared.provider.errors ?? []),
    ],
  };
}

function actionOperation(declared: Declared, action: Action): Operation {
  const { method = "POST", name, exclusive = method !== "GET" } = action;
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, "");
  return operation(declared, {
    verb: action.idWords ?? kebab,
    method,
    path: `${itemPathOf(declared)}/${name}`,
    summary: action.summary,
    ...(action.description !== undefined && { description: action.description }),
    permission: action.permission ?? `${name}/action`,
    query: action.query?.properties ?? {},
    pathWords: action.pathWords ?? {},
    ...(action.body && { body: action.body }),
    ...(action.bodyOptional !== undefined && { bodyOptional: action.bodyOptional }),
    errors: [...WRITE_ERRORS, ...(action.errors ?? [])],
    answers: action.answers,
    async handle({ params, query, body }, context) {
      const place = await placeOf(context, declared, params);
      const resource = await getResource(context, declared, place, action.missing);
      if (exclusive) refuseWhileBusy(declared, resource);
      return action.handle({ resource, place, params, body, query }, context);
    },
  });
}

export function operationsOf(declared: Declared): Operation[] {
  const { wire, actions = [], linkedLists = [] } = declared.type;
  return [
    ...readOperations(declared),
    ...(wire.put ? [putOperation(declared, wire.put)] : []),
    ...(wire.patch ? [patchOperation(declared, wire.patch)] : []),
    ...(declared.type.delete === false ? [] : [deleteOperation(declared)]),
    ...listOperations(declared),
    ...linkedLists.map((linked) => linkedOperation(declared, linked)),
    ...actions.map((action) => actionOperation(declared, action)),
  ];
}
