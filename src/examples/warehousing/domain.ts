/** Rules only: no clock, SQL or HTTP. */
import { errors } from "./errors.ts";

export const BOXES_PER_SHELF = 10;

export type DepotProperties = { readonly shelves: number; readonly boxes?: number };

const roomOf = ({ shelves }: DepotProperties): number => shelves * BOXES_PER_SHELF;

export function checkSize(wanted: DepotProperties, boxes: number): void {
  if (boxes <= roomOf(wanted)) return;
  throw errors.depotTooSmall(`${wanted.shelves} shelves do not hold the ${boxes} boxes that are there.`, {
    target: "properties.shelves",
  });
}

/** What is there afterwards. */
export function stock(depot: DepotProperties, delivered: number): number {
  const boxes = (depot.boxes ?? 0) + delivered;
  if (boxes > roomOf(depot)) throw errors.depotFull(`There is no room for ${delivered} more boxes.`);
  return boxes;
}
