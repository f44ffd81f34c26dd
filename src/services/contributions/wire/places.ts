/** Places as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";
import { given } from "./texts.ts";

export const LatLong = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north.", examples: [51.5] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east.", examples: [-0.12] }),
});
export const Place = Type.Object({
  name: given(
    Type.String({ maxLength: 300, description: "What people call it.", examples: ["Lyon, France"] }),
  ),
  country: given(
    Type.String({ pattern: "^[A-Za-z]{2}$", description: "Its country, by two letters.", examples: ["FR"] }),
  ),
  latLong: given(described(LatLong, "Where it is.")),
  geohash: given(
    Type.String({
      pattern: "^[0-9b-hjkmnp-zB-HJKMNP-Z]{1,12}$",
      description: "The same as a geohash.",
      examples: ["u05kq4k3n"],
    }),
  ),
  google: given(
    Type.String({
      maxLength: 200,
      description: "Its id in a directory of places.",
      examples: ["ChIJl4foalHq9EcR8CG75CqrCAQ"],
    }),
  ),
  osm: given(
    Type.Object(
      {
        osmId: given(Type.Number({ description: "The object's number.", examples: [120965] })),
        osmType: given(
          Type.String({ maxLength: 20, description: "Node, way or relation.", examples: ["relation"] }),
        ),
      },
      { description: "Its object in an open map." },
    ),
  ),
});
export type Place = Static<typeof Place>;
