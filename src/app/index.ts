/** The composed product. */
export { type App, NewerDataError, openKernel, startApp } from "./app.ts";
export { credentialsPathOf, loadCredentials } from "./credentials.ts";
export { FolderInUseError, findRunningServer } from "./data-folder.ts";
export { inspectDatabase } from "./inspect.ts";
export { allServices, chooseServices, UnknownServiceError } from "./services.ts";
export { type Medley, type StartOptions, startMedley } from "./start.ts";
