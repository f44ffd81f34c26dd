/** Deletes all uploads and results. */
import { anyone, noBody } from "#kernel/operation";
import { NOBODY } from "../domain/keeping.ts";
import { deleteAll } from "../store.ts";
import { operation } from "./analysis.ts";

const clean = operation({
  id: "unpack.clean",
  summary: "Deletes all stored results of uploaded files",
  description:
    "Deletes reports and unpacked files of all callers, immediately. Without this request they are deleted after a day.",
  method: "HEAD",
  path: "/clean",
  permission: anyone,
  transaction: "write",
  answers: { 204: noBody },
  async handle(_input, { db }) {
    await deleteAll(db, NOBODY);
  },
});
export const cleanOperations = [clean];
