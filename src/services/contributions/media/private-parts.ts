/** Finds private metadata in a film, for `withoutPrivateParts`. */
import type { Blank } from "./blanks.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { FormatName } from "./format.ts";
import { privateBoxesOf } from "./private-boxes.ts";
import { privateElementsOf } from "./private-elements.ts";

export const privatePartsOf = (format: FormatName, reader: ByteReader): Promise<Blank[]> =>
  format === "webm" ? privateElementsOf(reader) : privateBoxesOf(reader);
