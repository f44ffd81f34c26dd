/** Listing, reading and deleting entities of every kind. */
import { Type } from "@sinclair/typebox";
import type { Operation } from "#kernel/operation";
import { listModels } from "../store/models.ts";
import { modelShown } from "../wire/models.ts";
import { Guid, Paging, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { getModel, removeEntity } from "./changes.ts";
import { removeChild } from "./children.ts";
import { entityKinds, type KindWords } from "./entity-kinds.ts";
import { called, edit, getContentPlace, operation } from "./lookup.ts";

const P = "/apps/{appId}/versions/{versionId}";

function operationsOf({ kind, path, words, about, one, many, view }: KindWords): Operation[] {
  const params = versionParams({ entityId: Guid });
  return [
    operation({
      ...called("entities", `List${many}`),
      summary: `Lists the ${words.slice(0, -1)}ies of a version`,
      description: about,
      method: "GET",
      path: `${P}/${path}`,
      params: VersionParams,
      query: Paging,
      answers: { 200: Type.Array(view) },
      async handle({ params: named, query }, context) {
        const { version } = await getContentPlace(context, named);
        const models = await listModels(context.db, context.account, version.uid, {
          kinds: [kind],
          page: query,
        });
        return models.map(modelShown);
      },
    }),
    operation({
      ...called("entities", `Get${one}`),
      summary: `Returns a ${words}`,
      description: `${about} The id comes from \`language.entities.list${many}\`.`,
      method: "GET",
      path: `${P}/${path}/{entityId}`,
      params,
      answers: { 200: view },
      async handle({ params: named }, context) {
        const place = await getContentPlace(context, named);
        return modelShown((await getModel(context, place, kind, named.entityId)).model);
      },
    }),
    operation({
      ...called("entities", `Delete${one}`),
      summary: `Deletes a ${words}`,
      description:
        "Also removes its labels, and the features, children and composites that refer to it. Refused while a pattern names it. Train the version afterwards.",
      method: "DELETE",
      path: `${P}/${path}/{entityId}`,
      params,
      answers: { 200: Status },
      handle: ({ params: named }, context) =>
        edit(context, named, async (editing) => {
          if (kind === "learned" && (await removeChild(editing, named.entityId))) return SUCCESS;
          await removeEntity(editing, await getModel(context, editing, kind, named.entityId));
          return SUCCESS;
        }),
    }),
  ];
}

export const entityReadingOperations = entityKinds.flatMap(operationsOf);
