/** Restores an assignment from records: media and contributions one by one, each complete, and the assignment last. */
import { BackupSourceError, RecordReader, readHead } from "#kernel/backups";
import type { RestoreRequest } from "#ports/backup-sources";
import { urlWordsFor } from "../actions/url-words.ts";
import { assignmentArnOf } from "../domain/arns.ts";
import { facetsOf } from "../domain/facets.ts";
import { showInCatalog } from "../jobs/catalog.ts";
import { noteChange } from "../jobs/changes.ts";
import { keepCopy, scheduleCopyDeletion } from "../jobs/deletion.ts";
import { type Grown, growBlob } from "../jobs/grow-blob.ts";
import { makeArtifacts, planRemovingUnused, removeMedia } from "../jobs/media.ts";
import { scheduleTurns } from "../jobs/openings.ts";
import type { ContributionsContext } from "../state.ts";
import { updateAssignment } from "../store/assignments.ts";
import { removeContributions } from "../store/contributions.ts";
import { findAnyAssignment, insertWholeContribution, type WholeContribution } from "../store/copies.ts";
import { changeMedia, findMedia, insertMedia } from "../store/media.ts";
import { setTags } from "../store/tags.ts";
import type { ContributionRow, MediaRow } from "../tables/index.ts";
import { beginPlace, keepTag, type Place, rowOf } from "./place.ts";
import { CONTRIBUTION, HEAD, MEDIA, type SavedAssignment } from "./records.ts";

type Received = { readonly row: MediaRow; readonly grown: Grown };

class Restoring {
  readonly #context: ContributionsContext;
  readonly #saved: SavedAssignment;
  readonly #place: Place;
  /** For the next contribution: the new ids of its media, and the media that were received for it. */
  #mediaIds = new Map<string, string>();
  #received: Received[] = [];
  #coverId: string | null = null;
  #cover: Received | undefined;

  constructor(context: ContributionsContext, saved: SavedAssignment, place: Place) {
    this.#context = context;
    this.#saved = saved;
    this.#place = place;
  }

  /** The cover comes first, and may come again with a contribution. */
  async media(saved: MediaRow, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const isCover = saved.id === this.#saved.assignment.cover_media_id;
    if (isCover && this.#coverId === null) {
      this.#coverId = this.#newIdOf(saved);
      this.#cover = await this.#receive(saved, this.#coverId, bytes);
      return;
    }
    if (isCover && this.#coverId !== null) {
      this.#mediaIds.set(saved.id, this.#coverId);
      if (this.#cover) this.#received.push(this.#cover);
      this.#cover = undefined;
      return;
    }
    const id = this.#newIdOf(saved);
    this.#mediaIds.set(saved.id, id);
    const received = await this.#receive(saved, id, bytes);
    if (received) this.#received.push(received);
  }
  #newIdOf(saved: MediaRow): string {
    return this.#place.isOwn ? saved.id : this.#context.ids.uuid();
  }
  /** Undefined if they still exist. Until a record shows them, they count as incomplete. */
  async #receive(
    saved: MediaRow,
    id: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<Received | undefined> {
    const { db, account, ids, clock } = this.#context;
    const { isOwn, isForeign } = this.#place;
    if (isOwn && (await findMedia(db, account, [id])).size > 0) return undefined;
    const row: MediaRow = {
      ...saved,
      account,
      id,
      user_id: isForeign ? null : saved.user_id,
      blob_id: ids.next("blob"),
      state: "stored",
      problem: null,
    };
    const begun: MediaRow = { ...row, state: "receiving", created_at: clock.nowMs() };
    const grown = await growBlob(this.#context, row.blob_id, bytes, async (_bytes, within) => {
      await insertMedia(within.db, begun);
      await planRemovingUnused(within);
    });
    return { row, grown };
  }

  async contribution(saved: WholeContribution): Promise<void> {
    await this.#context.transact(async (inside) => {
      const { db, account } = inside;
      const tags = [];
      for (const tag of saved.tags) tags.push({ ...tag, id: await keepTag(inside, this.#place, tag) });
      const whole = this.#placed(saved, tags);
      const unused = await removeContributions(db, account, [whole.row.id]);
      await insertWholeContribution(db, account, whole);
      const shown = new Set(whole.usages.map((usage) => usage.media_id));
      await removeMedia(
        inside,
        unused.filter((id) => !shown.has(id)),
      );
      await keepMedia(inside, this.#received);
    });
    this.#received = [];
    this.#mediaIds = new Map();
  }
  /** With the ids of this restore. */
  #placed(saved: WholeContribution, tags: WholeContribution["tags"]): WholeContribution {
    const { account, ids } = this.#context;
    const { isOwn, isForeign, formId } = this.#place;
    const id = isOwn ? saved.row.id : ids.sortable();
    const own = { account, contribution_id: id };
    const responses = saved.responses.map((response) => ({
      ...response,
      ...own,
      id: isOwn ? response.id : ids.sortable(),
      form_id: formId ?? response.form_id,
      user_id: isForeign ? null : response.user_id,
    }));
    return {
      row: this.#rowOf(saved.row, id, tags, responses[0]?.id ?? null),
      usages: saved.usages.map((usage) => ({
        ...usage,
        ...own,
        id: `${id}-${usage.position + 1}`,
        media_id: this.#mediaIds.get(usage.media_id) ?? usage.media_id,
      })),
      likes: isForeign ? [] : saved.likes.map((like) => ({ ...like, ...own })),
      flags: saved.flags.map((flag) => ({ ...flag, ...own, id: isOwn ? flag.id : ids.next("flg") })),
      moderations: saved.moderations.map((one) => ({
        ...one,
        ...own,
        user_id: isForeign ? null : one.user_id,
      })),
      edits: (saved.edits ?? []).map((edit) => ({ ...edit, ...own })),
      responses,
      tags,
    };
  }
  #rowOf(
    saved: ContributionRow,
    id: string,
    tags: WholeContribution["tags"],
    responseId: string | null,
  ): ContributionRow {
    const { id: assignmentId, ownerId, isForeign } = this.#place;
    const userId = isForeign ? null : saved.user_id;
    const facets = facetsOf({
      assignmentId,
      ownerId,
      userId: userId ?? undefined,
      country: saved.country ?? undefined,
      geohash: saved.geohash ?? undefined,
      images: saved.images,
      videos: saved.videos,
      tagIds: tags.map((tag) => tag.id),
    });
    return {
      ...saved,
      account: this.#context.account,
      id,
      assignment_id: assignmentId,
      owner_id: ownerId,
      user_id: userId,
      likes: isForeign ? 0 : saved.likes,
      form_response_id: responseId,
      facets: facets.join(" "),
    };
  }

  /** Makes it visible. Needs a transaction. */
  async finish(inside: ContributionsContext, addedTags: Readonly<Record<string, string>>): Promise<void> {
    const { db, account } = inside;
    const { assignment, tags, catalogTags } = this.#saved;
    const { id, ownerId, isHidden } = this.#place;
    const now = await findAnyAssignment(db, account, id);
    if (!now || (now.deleted_at !== null) !== isHidden)
      throw new BackupSourceError(`The assignment ${id} was deleted meanwhile.`);
    await keepMedia(inside, this.#cover ? [this.#cover] : []);
    const row = { ...rowOf(account, this.#place, assignment), cover_media_id: this.#coverId };
    const url_words = await urlWordsFor(inside, { ...row, name: assignment.url_words }, undefined);
    await updateAssignment(db, account, id, { ...row, url_words, deleted_at: null });
    const tagIds = [];
    for (const tag of tags) tagIds.push(await keepTag(inside, this.#place, tag));
    await setTags(db, account, { kind: "assignment", recordId: id }, tagIds);
    if (isHidden) await keepCopy(inside, id);
    await scheduleTurns(inside, row);
    await showInCatalog(inside, row, { ...catalogTags, ...addedTags });
    await noteChange(inside, {
      type: isHidden ? "assignment.created" : "assignment.changed",
      description: row.name,
      recordId: id,
      assignmentId: id,
      ownerId,
      userId: undefined,
    });
  }
}

/** Needs the transaction of the record that shows them. */
async function keepMedia(inside: ContributionsContext, received: readonly Received[]): Promise<void> {
  for (const { row, grown } of received) {
    await inside.blobs.complete(row.blob_id, { ...grown, type: row.content_type });
    await changeMedia(inside.db, inside.account, row.id, row);
    await inside.enqueue(makeArtifacts, { media: row.id });
  }
}

export async function restore(
  context: ContributionsContext,
  bytes: AsyncIterable<Uint8Array>,
  request: RestoreRequest,
): Promise<void> {
  const records = new RecordReader(bytes);
  const saved = await readHead<SavedAssignment>(records, HEAD);
  const place = await context.transact((inside) => beginPlace(inside, saved, request));
  const restoring = new Restoring(context, saved, place);
  try {
    for await (const { kind, value } of records) {
      if (kind === MEDIA) await restoring.media(value as MediaRow, records.bytes());
      if (kind === CONTRIBUTION) await restoring.contribution(value as WholeContribution);
    }
    await context.transact(async (inside) => {
      await restoring.finish(inside, request.tags);
      await request.done(inside, assignmentArnOf(inside.account, place.id));
    });
  } catch (error) {
    if (place.isHidden)
      await context.transact((inside) => scheduleCopyDeletion(inside, place.id, inside.clock.nowMs()));
    throw error;
  }
}
