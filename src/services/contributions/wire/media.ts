/** Pictures and films as clients see them. */
import { Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";
import { Place } from "./places.ts";
import { given, Id } from "./texts.ts";

export const Media = Type.Object({
  id: Id,
  type: Type.Union([Type.Literal("image"), Type.Literal("video")], {
    description: "Whether it is a picture or a film.",
    examples: ["image"],
  }),
  duration: given(Type.Number({ description: "How long a film is, in seconds.", examples: [12.5] })),
  place: given(described(Place, "Where it was taken, as its camera noted; for those who may know.")),
});
export const Artifact = Type.Object({
  label: Type.String({ description: "Which of the formats it is.", examples: ["thumbnail"] }),
  url: Type.String({
    description: "Its address.",
    examples: ["http://127.0.0.1:4020/contributions/1/media/1m7fqc7680000eyv1bw2px5/thumbnail"],
  }),
  contentType: Type.String({ description: "Its media type.", examples: ["image/jpeg"] }),
  contentLength: Type.Number({ description: "How many bytes it has.", examples: [18213] }),
  width: Type.Number({ description: "Its width in pixels.", examples: [200] }),
  height: Type.Number({ description: "Its height in pixels.", examples: [200] }),
});
export const MediaUsage = Type.Object({
  id: described(Id, "The id of this use of it."),
  media: described(Media, "The picture or film."),
  artifacts: Type.Array(Artifact, { description: "What was made of it." }),
});
