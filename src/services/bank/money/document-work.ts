/** Declares the job that makes a document, for the code that enqueues it. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";

/** `jobs.ts` of the documents does it. */
export const documentWork = {
  name: "bank.make-document",
  payload: Type.Object({ kind: Type.String(), id: Type.Integer() }),
} satisfies WorkKind<{ kind: string; id: number }>;

export type Made = { readonly bytes: Uint8Array; readonly type: string };
