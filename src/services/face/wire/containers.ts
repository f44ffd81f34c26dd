/** Request and response shapes of lists, groups, persons and stored faces. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { type Container, type Kind, kinds } from "../domain/containers.ts";
import {
  FaceUserData,
  Name,
  RecognitionModelName,
  ReturnRecognitionModel,
  UserData,
  uuidOf,
} from "./shared.ts";

export const NewContainer = Type.Object({
  name: Name,
  userData: Type.Optional(UserData),
  recognitionModel: RecognitionModelName,
});
/** Omitted members keep their values. */
export const NamedThing = Type.Object({
  name: Type.Optional(Name),
  userData: Type.Optional(UserData),
});

export const PersistedFaceView = Type.Object({
  persistedFaceId: uuidOf("face"),
  userData: Type.Optional(FaceUserData),
});
export const FaceChange = Type.Object({ userData: Type.Optional(FaceUserData) });

export const PersonView = Type.Object({
  personId: uuidOf("person"),
  name: Type.Optional(Name),
  userData: Type.Optional(UserData),
  persistedFaceIds: Type.Array(uuidOf("face"), { description: "The faces kept with the person." }),
});
export const NewPersonAnswer = Type.Object({ personId: uuidOf("person") });

/** The name of the ID member depends on the kind. Other members are the same. */
export const containerView = (kind: Kind) =>
  Type.Object({
    [kinds[kind].idName]: Type.String({ description: "The id its owner gave it.", examples: ["family"] }),
    name: Name,
    userData: Type.Optional(UserData),
    recognitionModel: Type.Optional(RecognitionModelName),
    persistedFaces: Type.Optional(
      Type.Array(PersistedFaceView, { description: "The faces of a face list, when it is read by itself." }),
    ),
  });
export type ContainerView = Static<ReturnType<typeof containerView>>;
export const containerViewOf = (
  { kind, id, name, userData, recognitionModel }: Container,
  { returnRecognitionModel }: { readonly returnRecognitionModel: boolean },
): ContainerView => ({
  [kinds[kind].idName]: id,
  name,
  ...(userData !== undefined && { userData }),
  ...(returnRecognitionModel && { recognitionModel }),
});

export const TrainingView = Type.Object({
  status: Type.Union(
    ["nonstarted", "notStarted", "running", "succeeded", "failed"].map((status) => Type.Literal(status)),
    { description: "How far it is: nonstarted while it waits, notStarted in versions after 1.0." },
  ),
  createdDateTime: Type.String({
    format: "date-time",
    description: "When the group or list was made.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
  lastActionDateTime: Type.String({
    format: "date-time",
    description: "When the status changed last.",
    examples: ["2030-04-01T10:00:00.000Z"],
  }),
  lastSuccessfulTrainingDateTime: Type.Optional(
    Type.String({
      format: "date-time",
      description: "When the training ended that answers at present.",
      examples: ["2030-04-01T10:00:00.000Z"],
    }),
  ),
  message: Type.Optional(
    Type.String({
      description: "Why it failed.",
      examples: ["There is no face in the person group to train with."],
    }),
  ),
});
export const trainingViewOf = (
  training: NonNullable<Container["training"]>,
  { createdAtMs, trained }: Container,
): Static<typeof TrainingView> => ({
  status: training.status,
  createdDateTime: isoOf(createdAtMs),
  lastActionDateTime: isoOf(training.changedAtMs),
  ...(trained && { lastSuccessfulTrainingDateTime: isoOf(trained.atMs) }),
  ...(training.message !== undefined && { message: training.message }),
});

const PAGE_MAX = 1000;
const Start = Type.Optional(
  Type.String({
    maxLength: 64,
    description: "The last id of the page before: what follows it is listed.",
    examples: ["family"],
  }),
);
const Top = Type.Integer({
  minimum: 1,
  maximum: PAGE_MAX,
  default: PAGE_MAX,
  description: "How many are listed at the most.",
  examples: [100],
});
export const OneQuery = Type.Object({ returnRecognitionModel: ReturnRecognitionModel });
export const PageQuery = Type.Object({ start: Start, top: Top });
export const ContainersQuery = Type.Object({
  start: Start,
  top: Top,
  returnRecognitionModel: ReturnRecognitionModel,
});
export const stretchOf = ({ start, top }: Static<typeof PageQuery>) => ({ after: start, limit: top });
