/** The composed product. */
export { type App, openKernel, startApp } from "./app.ts";
export { credentialsPathOf, loadCredentials } from "./credentials.ts";
export { FolderInUseError, findRunningServer } from "./data-folder.ts";
export { allServices, chooseServices, UnknownServiceError } from "./services.ts";
export { type Medley, type StartOptions, startMedley } from "./start.ts";
