/** Pictures, films and artifacts, as clients see them. */
import { Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";
import { Place } from "./places.ts";

const ID_EXAMPLE = "b7c1f1a4-6c0e-4c57-9a5e-0d2f6f6c2f11";

export const Media = Type.Object(
  {
    id: Type.String({ maxLength: 64, description: "The picture's or film's id.", examples: [ID_EXAMPLE] }),
    type: Type.String({ description: "`image` or `video`.", examples: ["image"] }),
    duration: Type.Optional(Type.Number({ description: "Of a film, in seconds.", examples: [12.5] })),
    place: Type.Optional(
      described(Place, "Where it was taken, as the camera noted it; for those who may know."),
    ),
    contentType: Type.String({
      description: "What it was sent as, by its content.",
      examples: ["image/jpeg"],
    }),
    contentLength: Type.Optional(Type.Number({ description: "Bytes as it was sent.", examples: [2481002] })),
    width: Type.Optional(Type.Number({ description: "Pixels across, upright.", examples: [4032] })),
    height: Type.Optional(Type.Number({ description: "Pixels down, upright.", examples: [3024] })),
    orientation: Type.Optional(
      Type.Number({ description: "1 to 8, as the camera noted it; 1 is upright.", examples: [1] }),
    ),
    taken: Type.Optional(
      Type.String({
        format: "date-time",
        description: "When it was taken, as the camera noted it.",
        examples: ["2026-05-01T12:30:00Z"],
      }),
    ),
    camera: Type.Optional(
      Type.String({ description: "With what, as the camera noted it.", examples: ["Apple iPhone 15"] }),
    ),
    state: Type.String({
      description:
        "`stored` while artifacts are being made, `ready`, or `failed` where a placeholder stands for it.",
      examples: ["ready"],
    }),
  },
  { description: "A picture or film." },
);
export const Artifact = Type.Object(
  {
    label: Type.String({ description: "Which of the formats it is.", examples: ["medium"] }),
    url: Type.String({
      description: "Where it is.",
      examples: [`http://localhost:8000/contributions/1/media/${ID_EXAMPLE}/medium`],
    }),
    contentType: Type.String({ description: "Its media type.", examples: ["image/jpeg"] }),
    contentLength: Type.Number({ description: "Its bytes.", examples: [48210] }),
    width: Type.Number({ description: "Pixels across.", examples: [640] }),
    height: Type.Number({ description: "Pixels down.", examples: [480] }),
  },
  { description: "A picture or film in one of the formats." },
);
export const MediaUsage = Type.Object(
  {
    id: Type.String({ maxLength: 64, description: "The usage's id.", examples: [ID_EXAMPLE] }),
    media: described(Media, "The picture or film."),
    artifacts: Type.Array(Artifact, { description: "What there is of it, once it is made.", maxItems: 50 }),
  },
  { description: "A picture or film where it is shown." },
);
export const ArtifactFormat = Type.Object({
  label: Type.String({ description: "What it is called in addresses.", examples: ["thumbnail"] }),
  forContentType: Type.String({ description: "What it is made of.", examples: ["image/*"] }),
  contentType: Type.Optional(
    Type.String({
      description: "What it is; absent where it stays as it was sent.",
      examples: ["image/jpeg"],
    }),
  ),
  fileExtension: Type.Optional(Type.String({ description: "How files of it end.", examples: ["jpg"] })),
  preserveAspectRatio: Type.Boolean({ description: "False where the middle is cut out.", examples: [true] }),
  public: Type.Boolean({ description: "Whether everybody may see it of what is public.", examples: [true] }),
  upscaleAllowed: Type.Boolean({ description: "Whether small ones are made larger.", examples: [false] }),
  side: Type.Optional(
    Type.Number({
      description: "Its longest side at the most, in pixels; absent where it keeps its size.",
      examples: [640],
    }),
  ),
});
const formats = (of: string) => Type.Array(ArtifactFormat, { description: `Formats of ${of}.` });
export const ArtifactFormats = Type.Object({
  contribution: formats("what is contributed"),
  cover: formats("covers of assignments"),
  profileImage: formats("people's pictures"),
});
