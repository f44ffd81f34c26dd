/** Preflight requests of browsers (CORS), for every path that has an operation for pages of other origins. */
import { answer, noBody } from "../operation/answers.ts";
import { anyone, type Operation } from "../operation/operation.ts";

const METHODS = "GET, POST, PUT, PATCH, DELETE";
/** `*` means every header except this one. */
const HEADERS = "authorization, *";
const SECONDS_KEPT = "7200";

export const preflightOf = (service: string): Operation => ({
  id: `${service}.preflight`,
  summary: "Lets pages of other origins call",
  method: "OPTIONS",
  path: "/*",
  permission: anyone,
  transaction: "read",
  crossOrigin: true,
  answers: { 204: noBody },
  handle: () =>
    answer(204, undefined, {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": HEADERS,
      "access-control-max-age": SECONDS_KEPT,
    }),
});
