/** Lists and groups: the four kinds, their limits, and their training states. */
import { errors } from "../errors.ts";
import type { RecognitionModel } from "./models.ts";

type ErrorMaker = typeof errors.badArgument;

export const KINDS = ["facelist", "largefacelist", "persongroup", "largepersongroup"] as const;
export type Kind = (typeof KINDS)[number];
export type GroupKind = "persongroup" | "largepersongroup";
export type ListKind = "facelist" | "largefacelist";

/** Key of a face in its container. In lists, the person is empty. */
export type FaceKey = { readonly person: string; readonly id: string };

export type ContainerRef = { readonly kind: Kind; readonly id: string };

type KindFacts = {
  readonly words: string;
  /** First segment of its paths. */
  readonly path: string;
  readonly idName: string;
  readonly snapshotType: string;
  /** Limit for one account. */
  readonly containersMax: number;
  /** Limit for one group. Lists have no persons. */
  readonly personsMax: number;
  readonly facesMax: number;
  readonly exists: ErrorMaker;
  /** Errors for a missing container that a path names, and for one that a body names. */
  readonly notFound: ErrorMaker;
  readonly namedNotFound: ErrorMaker;
};

/** Limit of one index, so that it fits into memory and a scan is fast enough. */
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

/** Kinds that need training. Searches in plain face lists use the current faces. */
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
  /** Time of the last status change. */
  readonly changedAtMs: number;
  /** Number of requested trainings. Each training creates one generation of the index. */
  readonly number: number;
};

export type Container = ContainerRef & {
  /** Identifies the contents. A later container with the same ID gets another uid. */
  readonly uid: string;
  readonly name: string;
  readonly userData: string | undefined;
  readonly recognitionModel: RecognitionModel;
  readonly faceCount: number;
  readonly personCount: number;
  readonly createdAtMs: number;
  /** Absent until the first training request. */
  readonly training: Training | undefined;
  /** Generation and time of the last successful training. Searches use this generation. */
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

/** Training state of a copy: the training of its original has succeeded, and none is pending. */
export const trainingThatMade = (trained: Container["trained"]): Training | undefined =>
  trained && {
    status: "succeeded",
    message: undefined,
    changedAtMs: trained.atMs,
    number: trained.generation,
  };

/** If a newer training was requested, the ended one does not change the status. */
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
