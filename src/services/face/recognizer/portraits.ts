/** Renders the drawn portraits of the demo data. */
import type * as resvg from "@resvg/resvg-js";
import { packageOnUse } from "#kernel/packages";
import { drawPortrait, PORTRAITS } from "../domain/portraits.ts";

const drawing = packageOnUse<typeof resvg>("@resvg/resvg-js");

/** A PNG. Undefined if no portrait has this name. */
export function portraitOf(name: string): Uint8Array | undefined {
  const portrait = PORTRAITS.get(name);
  if (!portrait) return undefined;
  const { Resvg } = drawing();
  return new Uint8Array(
    new Resvg(drawPortrait(portrait), { font: { loadSystemFonts: false } }).render().asPng(),
  );
}
