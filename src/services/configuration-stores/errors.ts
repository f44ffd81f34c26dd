/** Errors of a store's data (as problem types) and of stores as managed resources. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidArgument: ["invalid-argument", 400],
  notFound: ["not-found", 404],
  locked: ["key-locked", 409],
  alreadyExists: ["already-exists", 409],
  invalidState: ["invalid-state", 409],
  preconditionFailed: ["precondition-failed", 412],
  tooLarge: ["request-entity-too-large", 413],
  quotaExceeded: ["too-many-requests", 429],
});

/** An invalid argument. The error names it. */
export const invalidArgument = (name: string, detail: string) =>
  errors.invalidArgument(detail, {
    target: name,
    fields: { title: `Invalid request parameter '${name}'` },
  });

export const storeErrors = defineErrors({
  invalidSku: ["InvalidSku", 400],
  downgrade: ["SkuDowngradeNotSupported", 400],
  invalidIdentity: ["InvalidIdentity", 400],
  invalidEncryption: ["InvalidEncryptionProperties", 400],
  noSoftDelete: ["SoftDeleteNotSupported", 400],
  invalidCheck: ["InvalidNameAvailabilityRequest", 400],
  keyRequired: ["AccessKeyIdRequired", 400],
  keyNotFound: ["AccessKeyNotFound", 404],
  keyValueNotFound: ["KeyValueNotFound", 404],
  invalidKeyValue: ["InvalidKeyValueRequest", 400],
  invalidEndpoint: ["InvalidPrivateEndpoint", 400],
  connectionState: ["InvalidConnectionStateTransition", 409],
});
