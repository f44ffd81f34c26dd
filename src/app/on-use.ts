/** Functions that need the whole kernel, loaded on first use. Most commands only call a running server. */

type Started = typeof import("./app.ts");
type Inspected = typeof import("./inspect.ts");
type Library = typeof import("./start.ts");

export const startApp: Started["startApp"] = async (...given) =>
  (await import("./app.ts")).startApp(...given);
export const openKernel: Started["openKernel"] = async (...given) =>
  (await import("./app.ts")).openKernel(...given);
export const inspectDatabase: Inspected["inspectDatabase"] = async (...given) =>
  (await import("./inspect.ts")).inspectDatabase(...given);
export const inspectObjects: Inspected["inspectObjects"] = async (...given) =>
  (await import("./inspect.ts")).inspectObjects(...given);
export const startMedley: Library["startMedley"] = async (...given) =>
  (await import("./start.ts")).startMedley(...given);
