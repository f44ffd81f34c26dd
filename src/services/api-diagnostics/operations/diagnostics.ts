/** Diagnostics of an API management instance or of one API. */
import type { Context } from "#kernel/operation";
import {
  type Desired,
  findById,
  makeResource,
  type Preparation,
  type ResourceType,
  resourceType,
} from "#kernel/resource-provider";
import type { DiagnosticProperties } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { diagnostic, diagnosticBody, diagnosticFilter, diagnosticPatch } from "../wire/diagnostics.ts";
import type { LoggerType } from "../wire/loggers.ts";
import { apis } from "./apis.ts";
import { childFurniture, fullTypeBelow, instanceKeyOf, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";
import { loggerNameOf, loggers } from "./loggers.ts";

const DIAGNOSTICS_MAX = 100;

/** Type of a logger that is created implicitly for a diagnostic. */
function impliedType(diagnosticName: string): LoggerType {
  const name = diagnosticName.toLowerCase();
  return name.includes("monitor")
    ? "azureMonitor"
    : name.includes("hub")
      ? "azureEventHub"
      : "applicationInsights";
}
/** Creates the logger where parents are created implicitly. Otherwise the logger must exist. */
async function ensureLogger(loggerId: string, { place }: Preparation, context: Context): Promise<void> {
  const name = loggerNameOf(loggerId);
  if (name === undefined)
    throw invalid(
      "loggerId must end in /loggers/ and the name of a logger of this instance.",
      "properties.loggerId",
    );
  if (await findById(context, `${instanceKeyOf(place.key)}/loggers/${name}`)) return;
  if (context.config.strictParents)
    throw invalid(`There is no logger '${name}' in this instance.`, "properties.loggerId");
  const { subscriptionId, resourceGroup, names } = place;
  const at = { subscriptionId, resourceGroup, names: [names[0] ?? "", name] };
  await makeResource(context, loggers, at, {
    properties: { loggerType: impliedType(names.at(-1) ?? ""), isBuffered: true },
  });
}

const diagnosticsOf = (parent: ResourceType, idWords: string, level: "instance" | "api"): ResourceType =>
  resourceType<DiagnosticProperties>({
    ...childFurniture("applicationinsights"),
    name: "diagnostics",
    title: level === "api" ? "diagnostic of an API" : "diagnostic",
    parent,
    parameter: "diagnosticId",
    idWords,
    descriptions: {
      put: `Decides which gateway calls are logged, how much of each, and by which logger. A diagnostic of an API takes precedence over one of the instance with the same name. A missing logger is created, unless \`--strict-parents\` is set. At most ${DIAGNOSTICS_MAX} at each level. Gateways of all nodes use the change at their next call.`,
      patch: "Gateways of all nodes use the change at their next call.",
      delete: "Calls are no longer logged by it. The logger stays.",
    },
    wire: { put: diagnosticBody, patch: diagnosticPatch, answer: diagnostic },
    lists: listsBy(diagnosticFilter),
    errors: [errors.validation],
    async prepare(wanted: Desired<DiagnosticProperties>, about, context) {
      const type = fullTypeBelow(level, "diagnostics");
      await requireRoom(context, about, { type, max: DIAGNOSTICS_MAX, things: "diagnostics" });
      await ensureLogger(wanted.properties.loggerId, about as Preparation, context);
      return wanted;
    },
  });

export const diagnostics = diagnosticsOf(instances, "diagnostics", "instance");
export const apiDiagnostics = diagnosticsOf(apis, "api-diagnostics", "api");
