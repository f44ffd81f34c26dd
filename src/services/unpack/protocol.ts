/** Requests need no credential. An error has a status, a message and, if available, the report. */
import { bearer, plain } from "#kernel/protocols";
import { ReportView } from "./wire.ts";

export const protocol = plain({
  scheme: bearer,
  errorBody: ({ status, message, extras }) => ({ status, message, ...extras.fields }),
  errorSchema: {
    type: "object",
    required: ["status", "message"],
    properties: {
      status: { type: "integer", description: "The status, once more.", examples: [400] },
      message: {
        type: "string",
        description: "What is wrong, in words.",
        examples: ["The file is not an executable that can be loaded: it does not begin with MZ."],
      },
      report: { ...ReportView, description: "How far it came, where it could not be unpacked." },
    },
  },
});
