/** How a job and what is below it are named: with the name of the collection in front. */
import type { JobResource } from "../jobs/index.ts";

/** As the collection was spelt when the job was made. */
export const collectionNameOf = ({ id }: JobResource): string => id.split("/").at(-3) ?? "";
