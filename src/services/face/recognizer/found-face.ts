/** A face found in a picture. */
import type { PixelMeasures } from "../domain/attributes.ts";
import type { Descriptor } from "../domain/descriptor.ts";
import type { Point, Rectangle } from "../domain/geometry.ts";
import type { Expressions } from "./networks/face-features.ts";

export type FoundFace = {
  readonly rectangle: Rectangle;
  /** The model's 68 points, in pixels of the picture. */
  readonly points: readonly Point[];
  readonly descriptor?: Descriptor;
  readonly expressions?: Expressions;
  readonly age?: number;
  readonly maleProbability?: number;
  readonly pixels?: PixelMeasures;
};
