/** Lists and groups: the four kinds there are, what they may hold, and how training them goes. */
import { errors } from "../errors.ts";
import type { RecognitionModel } from "./models.ts";

type ErrorMaker = typeof errors.badArgument;

export const KINDS = ["facelist", "largefacelist", "persongroup", "largepersongroup"] as const;
export type Kind = (typeof KINDS)[number];
export type GroupKind = "persongroup" | "largepersongroup";
export type ListKind = "facelist" | "largefacelist";

/** Names a face in its container; faces of lists have an empty person. */
export type FaceKey = { readonly person: string; readonly id: string };

export type ContainerRef = { readonly kind: Kind; readonly id: string };

type KindFacts = {
  readonly words: string;
  /** The first segment of its paths. */
  readonly path: string;
  readonly idName: string;
  readonly snapshotType: string;
  /** Of one account. */
  readonly containersMax: number;
  /** Of one group; lists have none. */
  readonly personsMax: number;
  readonly facesMax: number;
  readonly exists: ErrorMaker;
  /** A path names one that is not there, or a body does. */
  readonly notFound: ErrorMaker;
  readonly namedNotFound: ErrorMaker;
};

/** What one index may hold: so much fits into memory, and is scanned in time. */
const INDEXED_FACES_MAX = 1_000_000;

export const kinds: Readonly<Record<Kind, KindFacts>> = {
  facelist: {
    words: "face list",
    path: "facelists",
    idName: "faceListId",
    snapshotType: "FaceList",
    containersMax: 64,
    personsMax: 0,
    facesMax: 1000,
    exists: errors.faceListExists,
    notFound: errors.faceListNotFound,
    namedNotFound: errors.namedFaceListNotFound,
  },
  largefacelist: {
    words: "large face list",
    path: "largefacelists",
    idName: "largeFaceListId",
    snapshotType: "LargeFaceList",
    containersMax: 1_000_000,
    personsMax: 0,
    facesMax: INDEXED_FACES_MAX,
    exists: errors.largeFaceListExists,
    notFound: errors.largeFaceListNotFound,
    namedNotFound: errors.namedLargeFaceListNotFound,
  },
  persongroup: {
    words: "person group",
    path: "persongroups",
    idName: "personGroupId",
    snapshotType: "PersonGroup",
    containersMax: 1_000_000,
    personsMax: 10_000,
    facesMax: INDEXED_FACES_MAX,
    exists: errors.personGroupExists,
    notFound: errors.personGroupNotFound,
    namedNotFound: errors.namedPersonGroupNotFound,
  },
  largepersongroup: {
    words: "large person group",
    path: "largepersongroups",
    idName: "largePersonGroupId",
    snapshotType: "LargePersonGroup",
    containersMax: 1_000_000,
    personsMax: 1_000_000,
    facesMax: INDEXED_FACES_MAX,
    exists: errors.largePersonGroupExists,
    notFound: errors.largePersonGroupNotFound,
    namedNotFound: errors.namedLargePersonGroupNotFound,
  },
};
export const FACES_OF_PERSON_MAX = 248;

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
export const notFoundText = ({ kind, id }: ContainerRef): string =>
  `${capitalised(kinds[kind].words)} '${id}' is not found.`;

/** What training needs errors of: all kinds but face lists, which answer as they are. */
export type TrainedKind = Exclude<Kind, "facelist">;
export const isTrained = (kind: Kind): kind is TrainedKind => kind !== "facelist";
type TrainingErrors = Readonly<Record<"notTrained" | "neverTrained" | "notFinished", ErrorMaker>>;
export const trainingErrors: Readonly<Record<TrainedKind, TrainingErrors>> = {
  largefacelist: {
    notTrained: errors.largeFaceListNotTrained,
    neverTrained: errors.largeFaceListNeverTrained,
    notFinished: errors.largeFaceListTrainingNotFinished,
  },
  persongroup: {
    notTrained: errors.personGroupNotTrained,
    neverTrained: errors.personGroupNeverTrained,
    notFinished: errors.personGroupTrainingNotFinished,
  },
  largepersongroup: {
    notTrained: errors.largePersonGroupNotTrained,
    neverTrained: errors.largePersonGroupNeverTrained,
    notFinished: errors.largePersonGroupTrainingNotFinished,
  },
};

export type TrainingStatus = "nonstarted" | "running" | "succeeded" | "failed";

export type Training = {
  readonly status: TrainingStatus;
  readonly message: string | undefined;
  /** When its status became what it is. */
  readonly changedAtMs: number;
  /** Counts the trainings that were asked for; each makes a generation of the index. */
  readonly number: number;
};

export type Container = ContainerRef & {
  /** Names what it holds: a container of the same id that is made later has another. */
  readonly uid: string;
  readonly name: string;
  readonly userData: string | undefined;
  readonly recognitionModel: RecognitionModel;
  readonly faceCount: number;
  readonly personCount: number;
  readonly createdAtMs: number;
  /** Absent until it is asked for. */
  readonly training: Training | undefined;
  /** The last training that succeeded: which generation answers, and since when. */
  readonly trained: { readonly generation: number; readonly atMs: number } | undefined;
};

/**
 * A waiting training also serves later requests. A running one is followed by another, because it may have
 * missed changes.
 */
export function trainingAsked({ training }: Container, nowMs: number): Training {
  if (training?.status === "nonstarted") return training;
  const number = (training?.number ?? 0) + 1;
  if (training?.status === "running") return { ...training, number };
  return { status: "nonstarted", message: undefined, changedAtMs: nowMs, number };
}

/** Of a copy: as if it had been asked for the training that its original answers with, and for none since. */
export const trainingThatMade = (trained: Container["trained"]): Training | undefined =>
  trained && {
    status: "succeeded",
    message: undefined,
    changedAtMs: trained.atMs,
    number: trained.generation,
  };

/** A training that was overtaken by a newer one leaves the status to it. */
export function trainingEnded(
  container: Container,
  ended: { readonly generation: number; readonly facesCount: number; readonly nowMs: number },
): Pick<Container, "training" | "trained"> {
  const { training, trained } = container;
  const { generation, facesCount, nowMs } = ended;
  const isNewest = training?.number === generation;
  if (facesCount === 0) {
    const message = `There is no face in the ${kinds[container.kind].words} to train with.`;
    return {
      training: isNewest ? { ...training, status: "failed", message, changedAtMs: nowMs } : training,
      trained,
    };
  }
  return {
    training: isNewest
      ? { ...training, status: "succeeded", message: undefined, changedAtMs: nowMs }
      : training,
    trained: generation > (trained?.generation ?? 0) ? { generation, atMs: nowMs } : trained,
  };
}

export function requireRoomForContainer(kind: Kind, count: number): void {
  const { words, containersMax } = kinds[kind];
  if (count >= containersMax)
    throw errors.quotaExceeded(`An account has ${containersMax} ${words}s at the most.`);
}
export function requireRoomForPerson({ kind, personCount }: Container): void {
  const { words, personsMax } = kinds[kind];
  if (personCount >= personsMax)
    throw errors.quotaExceeded(`A ${words} has ${personsMax} persons at the most.`);
}
export function requireRoomForFace({ kind, faceCount }: Container): void {
  const { words, facesMax } = kinds[kind];
  if (faceCount >= facesMax) throw errors.quotaExceeded(`A ${words} has ${facesMax} faces at the most.`);
}
export function requireRoomForFaceOfPerson(faceCount: number): void {
  if (faceCount >= FACES_OF_PERSON_MAX)
    throw errors.quotaExceeded(`A person has ${FACES_OF_PERSON_MAX} faces at the most.`);
}
