/** Chooses between media types by the Accept header. */

type Range = { readonly type: string; readonly quality: number };

function rangesOf(accept: string): Range[] {
  return accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/** How well a range fits an offer: 3 exactly, 2 by type, 1 by wildcard, 0 not at all. */
function closeness(range: string, offer: string): number {
  if (range === offer) return 3;
  if (range === "*/*") return 1;
  return range.endsWith("/*") && offer.startsWith(range.slice(0, -1)) ? 2 : 0;
}

/** The best offer; the first one if the caller states no preference, or accepts none of them. */
export function preferredOf<Offer extends string>(
  accept: string | undefined,
  offers: readonly [Offer, ...Offer[]],
): Offer {
  const ranges = rangesOf(accept ?? "*/*");
  let best = { offer: offers[0], quality: 0, close: 0 };
  for (const offer of offers) {
    const closest = ranges
      .map(({ type, quality }) => ({ offer, quality, close: closeness(type, offer) }))
      .reduce((a, b) => (b.close > a.close ? b : a));
    if (closest.close === 0) continue;
    const isBetter =
      closest.quality > best.quality || (closest.quality === best.quality && closest.close > best.close);
    if (isBetter && closest.quality > 0) best = closest;
  }
  return best.offer;
}
