/** From declarations to answers over HTTP. */
export { CompiledOperation } from "./compiled-operation.ts";
export { measureJson } from "./json-size.ts";
export { HttpServer } from "./server.ts";
export { type StreamedPart, streamedParts } from "./streamed-parts.ts";
