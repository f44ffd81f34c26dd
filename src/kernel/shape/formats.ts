/** The text formats that schemas may name. */
import { FormatRegistry } from "@sinclair/typebox";
import { parseInstant } from "../clock/clock.ts";

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/;
const DATE_TIME_LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}$/;

FormatRegistry.Set("date-time", (text) => DATE_TIME.test(text) && parseInstant(text) !== undefined);
FormatRegistry.Set(
  "date-time-local",
  (text) => DATE_TIME_LOCAL.test(text) && parseInstant(text) !== undefined,
);
FormatRegistry.Set("date", (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== undefined);
FormatRegistry.Set("uuid", (text) => UUID.test(text));
FormatRegistry.Set("uri", (text) => URL.canParse(text));
FormatRegistry.Set("email", (text) => text.length <= 320 && EMAIL.test(text));
