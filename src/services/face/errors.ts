/** Errors of this service with their public codes, and the codes of kernel errors. */
import { defineErrors, type KernelErrorName } from "#kernel/operation";

/**
 * Codes with two public statuses have two entries: 404 for a missing resource in the path, 400 for one in
 * the body.
 */
export const errors = defineErrors({
  badArgument: ["BadArgument", 400],
  invalidUrl: ["InvalidURL", 400],
  invalidImage: ["InvalidImage", 400],
  invalidImageSize: ["InvalidImageSize", 400],
  faceNotFound: ["FaceNotFound", 404],
  namedFaceNotFound: ["FaceNotFound", 400],
  personNotFound: ["PersonNotFound", 404],
  namedPersonNotFound: ["PersonNotFound", 400],
  persistedFaceNotFound: ["PersistedFaceNotFound", 404],
  personGroupNotFound: ["PersonGroupNotFound", 404],
  largePersonGroupNotFound: ["LargePersonGroupNotFound", 404],
  faceListNotFound: ["FaceListNotFound", 404],
  largeFaceListNotFound: ["LargeFaceListNotFound", 404],
  namedPersonGroupNotFound: ["PersonGroupNotFound", 400],
  namedLargePersonGroupNotFound: ["LargePersonGroupNotFound", 400],
  namedFaceListNotFound: ["FaceListNotFound", 400],
  namedLargeFaceListNotFound: ["LargeFaceListNotFound", 400],
  personGroupNotTrained: ["PersonGroupNotTrained", 400],
  largePersonGroupNotTrained: ["LargePersonGroupNotTrained", 400],
  largeFaceListNotTrained: ["LargeFaceListNotTrained", 400],
  personGroupNeverTrained: ["PersonGroupNotTrained", 404],
  largePersonGroupNeverTrained: ["LargePersonGroupNotTrained", 404],
  largeFaceListNeverTrained: ["LargeFaceListNotTrained", 404],
  personGroupTrainingNotFinished: ["PersonGroupTrainingNotFinished", 409],
  largePersonGroupTrainingNotFinished: ["LargePersonGroupTrainingNotFinished", 409],
  largeFaceListTrainingNotFinished: ["LargeFaceListTrainingNotFinished", 409],
  personGroupExists: ["PersonGroupExists", 409],
  largePersonGroupExists: ["LargePersonGroupExists", 409],
  faceListExists: ["FaceListExists", 409],
  largeFaceListExists: ["LargeFaceListExists", 409],
  faceListNotReady: ["FaceListNotReady", 400],
  bothGroupsNamed: ["PersonGroupIdAndLargePersonGroupIdBothNotNull", 400],
  noGroupNamed: ["PersonGroupIdAndLargePersonGroupIdBothNull", 400],
  snapshotNotFound: ["SnapshotNotFound", 404],
  operationNotFound: ["OperationNotFound", 404],
  quotaExceeded: ["QuotaExceeded", 403],
});

const BAD_ARGUMENT = ["BadArgument", 400] as const;

export const errorNames: Partial<Record<KernelErrorName, readonly [code: string, status: number]>> = {
  malformedBody: BAD_ARGUMENT,
  invalidInput: BAD_ARGUMENT,
  bodyTooLarge: ["InvalidImageSize", 400],
  unauthenticated: ["401", 401],
  conflict: ["ConcurrentOperationConflict", 409],
  throttled: ["429", 429],
};
