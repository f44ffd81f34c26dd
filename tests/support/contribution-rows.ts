/** Contributions, filters and permissions by chance, the same in each run. */
import type { Sight } from "../../src/services/contributions/domain/access.ts";
import type { ColumnRow } from "../../src/services/contributions/domain/columns.ts";
import type { Filter } from "../../src/services/contributions/domain/filter.ts";
import { geohashOf, vectorOf } from "../../src/services/contributions/domain/globe.ts";
import { createdAtMsOf, firstPlaceOf } from "../../src/services/contributions/domain/order.ts";

const DAY_MS = 86_400_000;
const BEGIN_MS = Date.UTC(2030, 0, 1);
let seed = 5;
export function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;

function rowAt(number: number): ColumnRow {
  const position = { latitude: random() * 180 - 90, longitude: random() * 360 - 180 };
  const isLocated = random() < 0.6;
  const { x, y, z } = vectorOf(position);
  return {
    place: firstPlaceOf(BEGIN_MS + Math.floor((number / 2) * (DAY_MS / 7))) + number,
    assignment_id: pick(["a1", "a2", "a3"]),
    owner_id: pick(["o1", "o2"]),
    user_id: pick([null, "u1", "u2", "u3"]),
    country: isLocated ? pick(["FR", "JP"]) : null,
    geohash: isLocated ? geohashOf(position, pick([2, 4, 10, 12])) : null,
    x: isLocated ? x : null,
    y: isLocated ? y : null,
    z: isLocated ? z : null,
    images: pick([0, 0, 2]),
    videos: pick([0, 1]),
    state: pick(["pending", "approved", "rejected", "flagged"]),
    is_public: pick([0, 1]),
    tags: pick([null, "t1", "t2", "t1 t2"]),
  };
}
export const rows: readonly ColumnRow[] = Array.from({ length: 600 }, (_, number) => rowAt(number));

const someGeohash = (): string =>
  (pick(rows.filter((row) => row.geohash !== null)).geohash ?? "").slice(0, 1 + Math.floor(random() * 12));
export const someFilter = (): Filter => ({
  ...(random() < 0.3 && { assignment: pick(["a1", "a2", "nobody's"]) }),
  ...(random() < 0.2 && { ownedBy: pick(["o1", "o2"]) }),
  ...(random() < 0.2 && { user: pick(["u1", "u9"]) }),
  ...(random() < 0.2 && { country: "FR" }),
  ...(random() < 0.2 && { createdFromMs: createdAtMsOf(pick(rows).place) }),
  ...(random() < 0.2 && { createdBeforeMs: createdAtMsOf(pick(rows).place) }),
  ...(random() < 0.2 && { geohashes: [someGeohash(), someGeohash()] }),
  ...(random() < 0.2 && { hasLocation: random() < 0.5 }),
  ...(random() < 0.2 && {
    circle: { latitude: 80, longitude: 179, radiusKilometres: 10 ** (1 + 3 * random()) },
  }),
  ...(random() < 0.2 && { mediaType: pick(["image", "video"] as const) }),
  ...(random() < 0.2 && { tags: pick([["t1"], ["t1", "t2"], ["t9"]]) }),
  ...(random() < 0.2 && { state: pick(["pending", "approved", "unheard-of"]) }),
});
export const someSight = (): Sight =>
  random() < 0.3
    ? { everything: true, goneAssignments: pick([[], ["a1"]]) }
    : {
        everything: false,
        userId: pick([undefined, "u1", "o2", "u9"]),
        goneAssignments: pick([[], ["a3"]]),
        hiddenAssignments: pick([[], ["a1"], ["a1", "a2"]]),
        moderatedAssignments: pick([[], ["a2"]]),
      };
