/** Import and export of applications and versions: JSON of both schemas, and `.lu` text. */
import { Type } from "@sinclair/typebox";
import { answer, finishedJson } from "#kernel/operation";
import type { VersionContent } from "../domain/content.ts";
import { checkCulture, TOKENIZER_VERSION } from "../domain/cultures.ts";
import { VERSION_NAME_LENGTH_MAX } from "../domain/limits.ts";
import { errors } from "../errors.ts";
import { withContent } from "../jobs/large-content.ts";
import { readLuText } from "../reading/index.ts";
import type { LanguageContext } from "../state.ts";
import { type AppJson, appJsonOf, contentOf } from "../transfer/app-json.ts";
import { checkedContent, entitiesWithoutEffect } from "../transfer/check.ts";
import type { ReadLu } from "../transfer/lu-read.ts";
import { luOf } from "../transfer/lu-write.ts";
import { AppShape } from "../wire/app-json.ts";
import { ApplicationParams, Guid, VersionName, VersionParams } from "../wire/shared.ts";
import { checkTokenizer } from "./applications.ts";
import { checkNewApplication, checkNewVersion, createApplication, createVersion } from "./creation.ts";
import { called, getApplication, getVersionRead, operation } from "./lookup.ts";

const IMPORT_BYTES_MAX = 32 * 1024 * 1024;
/** 15,000 utterances with labels, and lists of thousands of forms. */
const IMPORT_PARTS_MAX = 1_000_000;
const Source = Type.Union([AppShape, Type.String({ maxLength: IMPORT_BYTES_MAX })], {
  description: "An exported application as JSON, of schema 7 or an older one, or as `.lu` text.",
});
const bodyExample: AppJson = {
  luis_schema_version: "7.0.0",
  versionId: "0.1",
  name: "Travel desk",
  culture: "en-us",
  intents: [{ name: "BookFlight" }, { name: "None" }],
  entities: [{ name: "City" }],
  utterances: [
    {
      text: "book a flight to Lisbon",
      intent: "BookFlight",
      entities: [{ entity: "City", startPos: 17, endPos: 22 }],
    },
  ],
};

/** The public client sends the text as a JSON string, whatever its content type. */
function textOf(body: string): string {
  if (!body.startsWith('"')) return body;
  try {
    const text: unknown = JSON.parse(body);
    return typeof text === "string" ? text : body;
  } catch {
    return body;
  }
}
const readOf = async ({ account }: LanguageContext, body: AppJson | string): Promise<ReadLu> =>
  typeof body === "string" ? readLuText(account, textOf(body)) : { app: body, leftOut: [] };

/** Numbers begin with 1 in every version. */
function checkedImport(
  { ids }: LanguageContext,
  app: AppJson,
  { culture, tokenizerVersion }: Pick<VersionContent, "culture" | "tokenizerVersion">,
): Promise<VersionContent> {
  let number = 0;
  const newId = () => ids.uuid();
  const nextNumber = () => {
    number += 1;
    return number;
  };
  return checkedContent(contentOf(app, { culture, tokenizerVersion }, { newId, nextNumber }), newId);
}

const LINES_TOLD_MAX = 20;
/** Warnings about entities without effect, and about references to other files. */
function warningsOf(content: VersionContent, leftOut: ReadLu["leftOut"]): Record<string, string> {
  const names = entitiesWithoutEffect(content);
  const more = leftOut.length > LINES_TOLD_MAX ? ` and ${leftOut.length - LINES_TOLD_MAX} more` : "";
  const told = [
    ...(names.length > 0 ? [`299 medley "Kept, but not found in texts here: ${names.join(", ")}"`] : []),
    ...(leftOut.length > 0
      ? [
          `299 medley "Left out, because they refer to other files: lines ${leftOut.slice(0, LINES_TOLD_MAX).join(", ")}${more}"`,
        ]
      : []),
  ];
  return told.length === 0 ? {} : { warning: told.join(", ") };
}

/** The name of the version in a file. Files of the maker have longer names than its interface accepts. */
const versionNameIn = ({ versionId }: AppJson): string =>
  (versionId ?? "").trim().slice(0, VERSION_NAME_LENGTH_MAX).trimEnd();

const importApplication = operation({
  ...called("apps", "ImportApplication"),
  summary: "Creates an application from an export",
  description:
    "Takes JSON or `.lu` text. The header `warning` names prebuilt entities that are not recognised here, and lines that refer to other files. The version is not trained. Names of applications are unique; use `appName` for another.",
  method: "POST",
  path: "/apps/import",
  query: Type.Object({
    appName: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: "Its name, instead of the one it was exported with.",
        examples: ["Travel desk"],
      }),
    ),
  }),
  body: Source,
  bodyKinds: ["json", "text"],
  bodyBytesMax: IMPORT_BYTES_MAX,
  bodyPartsMax: IMPORT_PARTS_MAX,
  transaction: "manual",
  answers: { 201: Guid },
  examples: { body: bodyExample },
  async handle({ query, body }, context) {
    const { app, leftOut } = await readOf(context, body);
    const name = query.appName ?? app.name;
    if (!name) throw errors.badArgument("The name of the application must be given.");
    const culture = checkCulture(app.culture || "en-us");
    const tokenizerVersion = app.tokenizerVersion || TOKENIZER_VERSION;
    checkTokenizer(tokenizerVersion);
    const words = {
      name,
      culture,
      tokenizerVersion,
      description: app.desc ?? "",
      domain: "",
      usageScenario: "",
    };
    const versionName = versionNameIn(app) || "0.1";
    await checkNewApplication(context, words, versionName);
    const content = await checkedImport(context, app, words);
    const { id } = await withContent(context, content, (inside, given) =>
      createApplication(inside, words, versionName, given),
    );
    return answer(201, id, warningsOf(content, leftOut));
  },
});

const importVersion = operation({
  ...called("versions", "ImportVersion"),
  summary: "Adds a version from an export",
  description:
    "The culture must be that of the application, and the version's name must be free. The version is not trained. The header `warning` names what was left out.",
  method: "POST",
  path: "/apps/{appId}/versions/import",
  params: ApplicationParams,
  query: Type.Object({
    versionId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: "Its name, instead of the one it was exported with.",
        examples: ["0.2"],
      }),
    ),
  }),
  body: Source,
  bodyKinds: ["json", "text"],
  bodyBytesMax: IMPORT_BYTES_MAX,
  bodyPartsMax: IMPORT_PARTS_MAX,
  transaction: "manual",
  answers: { 201: VersionName },
  examples: { body: bodyExample },
  async handle({ params, query, body }, context) {
    const application = await getApplication(context, params);
    const { app, leftOut } = await readOf(context, body);
    if (app.culture && app.culture.toLowerCase() !== application.culture)
      throw errors.badArgument(
        `The culture ${app.culture} is not that of the application, ${application.culture}.`,
      );
    const name = await checkNewVersion(context, application, query.versionId ?? versionNameIn(app));
    const content = await checkedImport(context, app, application);
    const version = await withContent(context, content, async (inside, given) =>
      createVersion(inside, await getApplication(inside, params), name, given),
    );
    return answer(201, version.name, warningsOf(content, leftOut));
  },
});

const exportVersion = operation({
  ...called("versions", "ExportVersion"),
  summary: "Exports a version as JSON or `.lu` text",
  description:
    "Contains intents, entities, features, patterns and utterances, but not the trained model. Import it with `language.versions.importVersion`.",
  method: "GET",
  path: "/apps/{appId}/versions/{versionId}/export",
  params: VersionParams,
  query: Type.Object({
    format: Type.Optional(
      Type.Union([Type.Literal("lu"), Type.Literal("json")], {
        description: "`lu` for text; JSON where it is left out.",
        examples: ["lu"],
      }),
    ),
  }),
  transaction: "manual",
  answers: { 200: finishedJson(AppShape, "text/plain") },
  async handle({ params, query }, context) {
    const { application, version, content } = await getVersionRead(context, params);
    const app = appJsonOf(content, {
      name: application.name,
      versionId: version.name,
      desc: application.description,
    });
    if (query.format === "lu") return answer(200, luOf(app), { "content-type": "text/plain; charset=utf-8" });
    return answer(200, JSON.stringify(app), { "content-type": "application/json" });
  },
});

export const transferOperations = [importApplication, importVersion, exportVersion];
