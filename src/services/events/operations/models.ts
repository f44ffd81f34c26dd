/** Reads and lists models of both kinds. */
import type { Page } from "#kernel/paging";
import { ALL_VERSIONS, type Made } from "../actions/models.ts";
import type { ModelKind } from "../domain/arns.ts";
import { errors } from "../errors.ts";
import type { EventsContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { ModelRow, VersionRow } from "../tables.ts";
import { pageRequestOf } from "./operation.ts";

/** The requested version, or the latest. */
export async function getMade(
  context: EventsContext,
  kind: ModelKind,
  name: string,
  version: string | undefined,
): Promise<Made> {
  const { db, account } = context;
  const model = await store.getModel(db, account, context.request.region, kind, name);
  const number = version === undefined ? model.latest_version : Number(version);
  if (!Number.isSafeInteger(number)) throw errors.notFound(`There is no version ${version} of ${name}.`);
  return { model, version: await store.getVersion(db, model, number) };
}

type Asked = { readonly maxResults: number; readonly nextToken?: string | undefined };
/** Sorted by name. */
export function pageOfModels(
  { db, account, request, pages }: EventsContext,
  kind: ModelKind,
  query: Asked,
): Promise<Page<ModelRow & { description: string | null }>> {
  return pages.of(
    pageRequestOf(query, {}),
    (row) => [row.name],
    (after, limit) => store.listModels(db, account, request.region, kind, after?.[0] ?? "", limit),
  );
}
/** Newest first. */
export async function pageOfVersions(
  context: EventsContext,
  kind: ModelKind,
  name: string,
  query: Asked,
): Promise<Page<VersionRow> & { readonly model: ModelRow }> {
  const { model } = await getMade(context, kind, name, undefined);
  const page = await context.pages.of(
    pageRequestOf(query, { model: model.id }),
    (row: VersionRow) => [String(row.version)],
    (after, limit) => store.listVersions(context.db, model, Number(after?.[0] ?? ALL_VERSIONS), limit),
  );
  return { model, ...page };
}
