/** Content negotiation between JSON and XML. */
import { preferredOf } from "#kernel/protocols";

export type Format = "json" | "xml";
const OFFERS = ["application/json", "application/xml", "text/xml"] as const;

export function formatOf(accept: string | string[] | undefined): Format {
  if (accept === undefined || accept === "application/json" || accept === "*/*") return "json";
  return preferredOf(String(accept), OFFERS) === "application/json" ? "json" : "xml";
}
export const mediaTypeOf = (format: Format): string =>
  format === "json" ? "application/json" : "application/xml; charset=utf-8";
