/** Wire shapes of applications, versions and published slots. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import type { Application, PublishedSlot, Version } from "../domain/application.ts";
import { isTrained } from "../domain/application.ts";
import { Guid } from "./shared.ts";

const OptionalText = Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]));
export const NewApplication = Type.Object({
  name: Type.String({ maxLength: 1_000 }),
  culture: Type.String({ maxLength: 50 }),
  description: OptionalText,
  domain: OptionalText,
  initialVersionId: OptionalText,
  usageScenario: OptionalText,
  tokenizerVersion: OptionalText,
});
export const ApplicationChange = Type.Object({ name: OptionalText, description: OptionalText });
export const PublishAsked = Type.Object({
  versionId: OptionalText,
  isStaging: Type.Optional(Type.Boolean({ default: false })),
  directVersionPublish: Type.Optional(Type.Boolean({ default: false })),
});
export const EndpointView = Type.Object({
  versionId: Type.String(),
  isStaging: Type.Boolean(),
  endpointUrl: Type.String(),
  region: Type.String(),
  endpointRegion: Type.String(),
  assignedEndpointKey: Type.String({ examples: [""] }),
  failedRegions: Type.String(),
  publishedDateTime: Type.String({ format: "date-time" }),
});
export const ApplicationView = Type.Object({
  id: Guid,
  name: Type.String(),
  description: Type.String(),
  culture: Type.String(),
  tokenizerVersion: Type.String(),
  usageScenario: Type.String(),
  domain: Type.String(),
  versionsCount: Type.Integer(),
  createdDateTime: Type.String({ format: "date-time" }),
  endpoints: Type.Object({
    PRODUCTION: Type.Optional(EndpointView),
    STAGING: Type.Optional(EndpointView),
  }),
  endpointHitsCount: Type.Integer(),
  activeVersion: Type.String(),
});
export const VersionView = Type.Object({
  version: Type.String(),
  createdDateTime: Type.String({ format: "date-time" }),
  lastModifiedDateTime: Type.String({ format: "date-time" }),
  lastTrainedDateTime: Type.Optional(Type.String({ format: "date-time" })),
  lastPublishedDateTime: Type.Optional(Type.String({ format: "date-time" })),
  endpointUrl: Type.Optional(Type.String()),
  assignedEndpointKey: Type.Object({}, { examples: [{}] }),
  externalApiKeys: Type.Object({}, { examples: [{}] }),
  intentsCount: Type.Integer(),
  entitiesCount: Type.Integer(),
  endpointHitsCount: Type.Integer(),
  trainingStatus: Type.Union([
    Type.Literal("NeedsTraining"),
    Type.Literal("InProgress"),
    Type.Literal("Trained"),
  ]),
});
export const PublishSettingsView = Type.Object({
  id: Guid,
  sentimentAnalysis: Type.Boolean(),
  speech: Type.Boolean(),
  spellChecker: Type.Boolean(),
});
export const PublishSettingsChange = Type.Partial(Type.Omit(PublishSettingsView, ["id"]));
export const ApplicationSettingsView = Type.Object({ id: Guid, public: Type.Boolean() });
export const ApplicationSettingsChange = Type.Object({ public: Type.Optional(Type.Boolean()) });
export const SettingView = Type.Object({
  name: Type.String({ maxLength: 200 }),
  value: Type.String({ maxLength: 200 }),
});
export const VersionAsked = Type.Object({ version: OptionalText });
export const AssignedView = Type.Object({
  azureSubscriptionId: Type.String({ maxLength: 200 }),
  resourceGroup: Type.String({ maxLength: 200 }),
  accountName: Type.String({ maxLength: 200 }),
});

/** The prediction address of a slot: beside the authoring interface, at the host that the caller used. */
export const predictionUrlOf = (mountUrl: string, application: string): string =>
  `${mountUrl.replace(/\/authoring\/v3\.0-preview$/, "")}/v2.0/apps/${application}`;

export const endpointShown = (
  { application, versionName, slot, publishedAtMs }: PublishedSlot,
  mountUrl: string,
): Static<typeof EndpointView> => ({
  versionId: versionName,
  isStaging: slot === "staging",
  endpointUrl: predictionUrlOf(mountUrl, application),
  region: "local",
  endpointRegion: "local",
  assignedEndpointKey: "",
  failedRegions: "",
  publishedDateTime: isoOf(publishedAtMs),
});
export const applicationShown = (
  {
    application,
    versionsCount,
    published,
  }: { application: Application; versionsCount: number; published: readonly PublishedSlot[] },
  mountUrl: string,
): Static<typeof ApplicationView> => ({
  id: application.id,
  name: application.name,
  description: application.description,
  culture: application.culture,
  tokenizerVersion: application.tokenizerVersion,
  usageScenario: application.usageScenario,
  domain: application.domain,
  versionsCount,
  createdDateTime: isoOf(application.createdAtMs),
  endpoints: Object.fromEntries(
    published.map((one) => [one.slot.toUpperCase(), endpointShown(one, mountUrl)]),
  ),
  endpointHitsCount: application.hits,
  activeVersion: application.activeVersion,
});

function trainingStatusOf(version: Version) {
  if (version.trainingStatus === "queued" || version.trainingStatus === "running")
    return "InProgress" as const;
  return isTrained(version) ? ("Trained" as const) : ("NeedsTraining" as const);
}
export const versionShown = (
  version: Version,
  {
    intentsCount,
    entitiesCount,
    mountUrl,
  }: { intentsCount: number; entitiesCount: number; mountUrl: string },
): Static<typeof VersionView> => ({
  version: version.name,
  createdDateTime: isoOf(version.createdAtMs),
  lastModifiedDateTime: isoOf(version.modifiedAtMs),
  ...(version.trainedAtMs !== undefined && { lastTrainedDateTime: isoOf(version.trainedAtMs) }),
  ...(version.publishedAtMs !== undefined && {
    lastPublishedDateTime: isoOf(version.publishedAtMs),
    endpointUrl: predictionUrlOf(mountUrl, version.application),
  }),
  assignedEndpointKey: {},
  externalApiKeys: {},
  intentsCount,
  entitiesCount,
  endpointHitsCount: version.hits,
  trainingStatus: trainingStatusOf(version),
});
