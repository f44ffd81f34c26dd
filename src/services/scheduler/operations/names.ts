/** Names of jobs and history entries have the collection name as a prefix. */
import type { JobResource } from "../jobs/index.ts";

/** In the spelling at the creation of the job. */
export const collectionNameOf = ({ id }: JobResource): string => id.split("/").at(-3) ?? "";
