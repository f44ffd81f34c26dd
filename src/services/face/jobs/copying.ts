/** Copies contents from one container or snapshot to another, a part in each transaction, and tells how far it is. */
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

/** What the record of such an operation tells of its progress. */
export type CopyProgress = { readonly isStarted: boolean; readonly percent: number };

export type Copy = {
  readonly operationId: string;
  readonly from: CopiedContents;
  readonly to: Contents;
  /** Of persons and faces. */
  readonly rowsExpected: number;
  /** In each transaction: whether it is still to be made. */
  isWanted(context: FaceContext): Promise<boolean>;
};

/** Answers false when it was no longer wanted. What an attempt before this one left is freed first. */
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
