/** Loggers: targets of an instance's diagnostics. */
import type { Context } from "#kernel/operation";
import { listBelow, type ManagedResource, openSecret, resourceType } from "#kernel/resource-provider";
import type { DiagnosticProperties } from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  type LoggerProperties,
  type LoggerType,
  loggerAnswer,
  loggerBody,
  loggerFilter,
  loggerPatch,
} from "../wire/loggers.ts";
import { childFurniture, fullTypeBelow, instanceKeyOf, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";

const LOGGERS_MAX = 100;
const LOOKED_AT_ONCE = 500;
const TYPE = fullTypeBelow("instance", "loggers");

/** `main` of `/subscriptions/…/service/shop/loggers/main` or `/loggers/main`. */
export function loggerNameOf(loggerId: string): string | undefined {
  const parts = loggerId.split("/");
  const [word, name] = parts.slice(-2);
  return word?.toLowerCase() === "loggers" && name !== undefined && /^[^*#&+:<>?]{1,80}$/.test(name)
    ? name
    : undefined;
}

type Credentials = Readonly<Record<string, string>>;
export function credentialsOf(
  context: Pick<Context, "secrets">,
  logger: Pick<ManagedResource, "secrets">,
): Credentials {
  return JSON.parse(openSecret(context, logger, "credentials") ?? "{}");
}
const NEEDED: Readonly<Record<LoggerType, readonly (readonly string[])[]>> = {
  azureMonitor: [],
  applicationInsights: [["instrumentationKey"], ["connectionString"]],
  azureEventHub: [
    ["name", "connectionString"],
    ["name", "endpointAddress"],
  ],
};
function checkCredentials(type: LoggerType, given: Credentials | undefined): void {
  if (given === undefined) return;
  const ways = NEEDED[type];
  if (
    ways.length === 0 ||
    ways.some((way) => way.every((name) => given[name] !== undefined && given[name] !== ""))
  )
    return;
  const words = ways.map((way) => way.join(" and ")).join(", or ");
  throw invalid(`The credentials of a logger of type ${type} have ${words}.`, "properties.credentials");
}

async function findUser(logger: ManagedResource, context: Context): Promise<ManagedResource | undefined> {
  const instanceKey = instanceKeyOf(logger.key);
  let before: string | undefined;
  for (;;) {
    const below = await listBelow(context, instanceKey, { limit: LOOKED_AT_ONCE, before });
    const user = below.find(
      ({ type, properties }) =>
        type.endsWith("/diagnostics") &&
        loggerNameOf((properties as DiagnosticProperties).loggerId)?.toLowerCase() ===
          logger.name.toLowerCase(),
    );
    if (user || below.length < LOOKED_AT_ONCE) return user;
    before = below.at(-1)?.key;
  }
}

export const loggers = resourceType<LoggerProperties>({
  ...childFurniture("insights"),
  name: "loggers",
  title: "logger",
  parent: instances,
  parameter: "loggerId",
  idWords: "loggers",
  descriptions: {
    get: "Credentials are shown as placeholders, never as values.",
    put: `Credentials are stored encrypted. An instance may have ${LOGGERS_MAX} loggers. Records are sent only by diagnostics that name the logger, so add one with \`api-diagnostics.diagnostics.put\`.`,
    delete: "Refused while a diagnostic uses the logger.",
  },
  wire: { put: loggerBody, patch: loggerPatch, answer: loggerAnswer },
  lists: listsBy(loggerFilter),
  errors: [errors.validation, errors.inUse],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: TYPE, max: LOGGERS_MAX, things: "loggers" });
    const { credentials, ...properties } = wanted.properties;
    checkCredentials(properties.loggerType, credentials);
    // The engine encrypts the credentials as one string.
    const sealed = credentials && { credentials: JSON.stringify(credentials) as never };
    return { ...wanted, properties: { isBuffered: true, ...properties, ...sealed } };
  },
  async mayDelete(logger, context) {
    const user = await findUser(logger, context);
    if (user) throw errors.inUse(`The logger is used by the diagnostic ${user.id}.`);
  },
  present(logger, context) {
    const names = Object.keys(credentialsOf(context, logger));
    if (names.length === 0) return logger.properties;
    const shown = names.map((name) => [name, `{{Logger-Credentials-${name}}}`]);
    return { ...logger.properties, credentials: Object.fromEntries(shown) };
  },
});
