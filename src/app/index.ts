/** The composed application. */
export type { App } from "./app.ts";
export {
  credentialsPathOf,
  databasePathOf,
  FolderInUseError,
  findRunningServer,
  NewerDataError,
  NoFolderError,
  othersMayLook,
} from "./data-folder.ts";
export { inspectDatabase, inspectObjects, openKernel, startApp, startMedley } from "./on-use.ts";
export { loadServices, type ServiceEntry, serviceTable, settings, UnknownServiceError } from "./services.ts";
export type { Medley, StartOptions } from "./start.ts";
