/** The composed product. */
export { type App, NewerDataError, openKernel, STOP_GRACE_SECONDS, startApp } from "./app.ts";
export { loadCredentials } from "./credentials.ts";
export {
  credentialsPathOf,
  databasePathOf,
  FolderInUseError,
  findRunningServer,
  NoFolderError,
  othersMayLook,
} from "./data-folder.ts";
export { inspectDatabase } from "./inspect.ts";
export { loadServices, type ServiceEntry, serviceTable, settings, UnknownServiceError } from "./services.ts";
export { type Medley, type StartOptions, startMedley } from "./start.ts";
