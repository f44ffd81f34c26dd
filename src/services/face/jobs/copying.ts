/** Copies the contents of a container or snapshot in several transactions, and records the progress. */
import { percentOf } from "../domain/snapshots.ts";
import type { FaceContext } from "../state.ts";
import {
  COPY_BEGINS,
  type Contents,
  type CopiedContents,
  type CopyPlace,
  copySome,
  freeSome,
} from "../store/contents.ts";

/** Progress in the record of the operation. */
export type CopyProgress = { readonly isStarted: boolean; readonly percent: number };

export type Copy = {
  readonly operationId: string;
  readonly from: CopiedContents;
  readonly to: Contents;
  /** Number of persons and faces. */
  readonly rowsExpected: number;
  /** Checked in each transaction: false cancels the copy. */
  isWanted(context: FaceContext): Promise<boolean>;
};

/** Returns false if the copy was cancelled. Rows of an earlier attempt are deleted first. */
export async function copyContents(
  context: FaceContext,
  { operationId, from, to, rowsExpected, isWanted }: Copy,
): Promise<boolean> {
  while (!(await context.transact(({ db }) => freeSome(db, to))));
  let copied = 0;
  for (let place: CopyPlace | undefined = COPY_BEGINS; place; ) {
    const here: CopyPlace = place;
    const part = await context.transact(async (inside) => {
      if (!(await isWanted(inside))) return undefined;
      const done = await copySome(inside.db, from, to, here);
      const percent = percentOf(copied + done.copied, rowsExpected);
      await inside.longRunning.progress(operationId, { isStarted: true, percent } satisfies CopyProgress);
      return done;
    });
    if (!part) return false;
    copied += part.copied;
    place = part.next;
  }
  return true;
}
