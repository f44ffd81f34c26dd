/** Extracts the secrets from a job's action. */
import type { Action, ErrorAction, KeptSecret, KeptSecrets, Problem } from "../domain/index.ts";
import type { GivenAction, GivenErrorAction } from "../wire/index.ts";

/** Path of an action's secrets, and the use that they are bound to. */
type SecretPlace = {
  readonly path: string;
  readonly given: Readonly<Record<string, string | undefined>>;
  readonly binding: readonly unknown[];
  /** The required member, if a secret is required. */
  readonly needs?: string;
};
type Located = { readonly shown: ErrorAction; readonly place?: SecretPlace };

type HttpAction = Extract<GivenErrorAction, { type: "Http" | "Https" }>;
type GivenRequest = HttpAction["request"];
type StorageQueueAction = Extract<GivenErrorAction, { type: "StorageQueue" }>;
type GivenBusMessage = Extract<GivenErrorAction, { type: "ServiceBusQueue" }>["serviceBusQueueMessage"];
type BusAuthentication = NonNullable<GivenBusMessage["authentication"]>;

/** Empty objects count as omitted. */
function withoutEmpty<T extends object>(value: T): T {
  const isEmpty = (part: unknown): boolean =>
    typeof part === "object" && part !== null && Object.keys(part).length === 0;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => !isEmpty(part))) as T;
}

/** Every secret is bound to the origin of the request, and an OAuth secret also to the tenant's token endpoint. */
function locatedRequest({ authentication, ...request }: GivenRequest, path: string) {
  const rest = withoutEmpty(request);
  const { origin } = new URL(request.uri);
  if (authentication === undefined) return { request: rest };
  switch (authentication.type) {
    case "NotSpecified":
      return { request: { ...rest, authentication: { type: authentication.type } } };
    case "Basic": {
      const { type, username, password } = authentication;
      const place = { path, given: { password }, binding: [type, origin, username], needs: "password" };
      return { request: { ...rest, authentication: { type, username } }, place };
    }
    case "ClientCertificate": {
      const { type, pfx, password } = authentication;
      const given = pfx === undefined ? {} : { pfx, password };
      return {
        request: { ...rest, authentication: { type } },
        place: { path, given, binding: [type, origin], needs: "pfx" },
      };
    }
    default: {
      const { secret, ...shown } = authentication;
      const binding = [shown.type, shown.tenant, shown.clientId, origin];
      const place = { path, given: { secret }, binding, needs: "secret" };
      return { request: { ...rest, authentication: shown }, place };
    }
  }
}
function locatedQueueMessage(
  { sasToken, ...queueMessage }: StorageQueueAction["queueMessage"],
  path: string,
) {
  const binding = ["StorageQueue", queueMessage.storageAccount, queueMessage.queueName];
  return { queueMessage, place: { path, given: { sasToken }, binding } };
}
function locatedKey(authentication: BusAuthentication, namespace: string, path: string) {
  if (authentication.type !== "SharedAccessKey") return { shown: { type: "NotSpecified" as const } };
  const { sasKey, ...shown } = authentication;
  const binding = [shown.type, namespace, shown.sasKeyName];
  return { shown, place: { path, given: { sasKey }, binding, needs: "sasKey" } };
}
function locatedBusMessage<T extends Omit<GivenBusMessage, "queueName">>(given: T, path: string) {
  const { authentication, ...message } = given;
  const rest = withoutEmpty(message);
  if (authentication === undefined) return { message: rest };
  const { shown, place } = locatedKey(authentication, given.namespace, `${path}.authentication`);
  return { message: { ...rest, authentication: shown }, place };
}

function locate(action: GivenErrorAction, root: string): Located {
  const { retryPolicy } = action;
  const retry = retryPolicy && { retryPolicy };
  switch (action.type) {
    case "StorageQueue": {
      const { queueMessage, place } = locatedQueueMessage(action.queueMessage, `${root}.queueMessage`);
      return { shown: { type: action.type, queueMessage, ...retry }, place };
    }
    case "ServiceBusQueue": {
      const path = `${root}.serviceBusQueueMessage`;
      const { message, place } = locatedBusMessage(action.serviceBusQueueMessage, path);
      return { shown: { type: action.type, serviceBusQueueMessage: message, ...retry }, place };
    }
    case "ServiceBusTopic": {
      const path = `${root}.serviceBusTopicMessage`;
      const { message, place } = locatedBusMessage(action.serviceBusTopicMessage, path);
      return { shown: { type: action.type, serviceBusTopicMessage: message, ...retry }, place };
    }
    default: {
      const { request, place } = locatedRequest(action.request, `${root}.request.authentication`);
      return { shown: { type: action.type, request, ...retry }, place };
    }
  }
}

/** A definition that was read and sent back has no secrets. Stored secrets with the same binding are kept. */
function keptSecretOf(place: SecretPlace, stored: KeptSecrets): KeptSecret | undefined {
  const binding = JSON.stringify(place.binding);
  const given = Object.entries(place.given).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (given.length > 0) return { binding, values: Object.fromEntries(given) };
  const before = stored[place.path];
  return before?.binding === binding ? before : undefined;
}

export type TakenSecrets = {
  readonly action: Action;
  readonly secrets: KeptSecrets;
  readonly problems: readonly Problem[];
};
/** `stored` has the current secrets of the job. */
export function takeSecrets(given: GivenAction, stored: KeptSecrets): TakenSecrets {
  const main = locate(given, "action");
  const error = given.errorAction && locate(given.errorAction, "action.errorAction");
  const secrets: Record<string, KeptSecret> = {};
  const problems: Problem[] = [];
  for (const { place } of [main, ...(error ? [error] : [])]) {
    const kept = place && keptSecretOf(place, stored);
    if (kept) secrets[place.path] = kept;
    else if (place?.needs !== undefined)
      problems.push({ path: `${place.path}.${place.needs}`, says: "is required" });
  }
  return { action: { ...main.shown, ...(error && { errorAction: error.shown }) }, secrets, problems };
}
