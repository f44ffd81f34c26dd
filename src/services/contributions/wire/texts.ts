/** Small shapes that others share. */
import { type TSchema, Type } from "@sinclair/typebox";

export const given = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const Id = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Its id.",
  examples: ["asg_1m7fqc7680000eyv1bw2px5"],
});
export const IdReference = Type.Object({ id: Id });
export const Instant = Type.String({ format: "date-time", maxLength: 40 });
export const named = Type.Object({ id: Id });

export const PAGE_SIZE_MAX = 100;
/** Pages end after this many rows. Use filters to get further. */
export const ROWS_BEFORE_PAGE_MAX = 100_000;
export const Page = Type.Integer({ minimum: 1, maximum: ROWS_BEFORE_PAGE_MAX, default: 1 });
export const PageSize = Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, default: 20 });
export const pageQuery = { page: Page, pageSize: PageSize };
