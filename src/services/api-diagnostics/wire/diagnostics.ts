/** Request and response shapes of diagnostics. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { oneOf, proxyAnswer } from "#kernel/resource-provider";
import { nameFilter, removable } from "./shared.ts";

const BODY_BYTES_MAX = 8192;
const HEADERS_MAX = 100;

const loggerId = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: "The identifier of the logger that gets the records.",
  examples: ["/loggers/applicationinsights"],
});
const settingsWords = { description: "What is logged of each call, how much of it, and where to." };
const worded = (schema: TSchema, description: string): TSchema => ({ ...schema, description });
const masks = (description: string) =>
  Type.Array(
    Type.Object({
      value: Type.Optional(
        Type.String({ maxLength: 256, description: "The name, or * for all.", examples: ["authorization"] }),
      ),
      mode: Type.Optional(worded(oneOf("Mask", "Hide"), "Whether its value is masked or all of it hidden.")),
    }),
    { maxItems: HEADERS_MAX, description },
  );
function settingsWith(optional: (schema: TSchema) => TSchema): TProperties {
  const message = (description: string) =>
    optional(
      Type.Object(
        {
          body: optional(
            Type.Object(
              {
                bytes: optional(
                  Type.Integer({
                    minimum: 0,
                    maximum: BODY_BYTES_MAX,
                    description: "How many bytes of it.",
                    examples: [512],
                  }),
                ),
              },
              { description: "How much of the body is logged." },
            ),
          ),
          headers: optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
              maxItems: HEADERS_MAX,
              description: "Which headers are logged.",
              examples: [["content-type"]],
            }),
          ),
          dataMasking: optional(
            Type.Object(
              {
                queryParams: optional(masks("Which query parameters are masked.")),
                headers: optional(masks("Which headers are masked.")),
              },
              { description: "What is not to be read in the log." },
            ),
          ),
        },
        { description },
      ),
    );
  const pipeline = (description: string) =>
    optional(
      Type.Object(
        {
          request: message("What is logged of the request."),
          response: message("What is logged of the response."),
        },
        { description },
      ),
    );
  return {
    alwaysLog: optional(worded(oneOf("allErrors"), "Which calls are logged whatever the sampling says.")),
    backend: pipeline("Between the gateway and the service behind it."),
    frontend: pipeline("Between the caller and the gateway."),
    httpCorrelationProtocol: optional(
      worded(oneOf("None", "Legacy", "W3C"), "How calls that belong together are marked."),
    ),
    metrics: optional(Type.Boolean({ description: "Whether calls are counted as metrics as well." })),
    operationNameFormat: optional(
      worded(
        oneOf("Name", "Url"),
        "What the operation is called in the log: its name, or method and address.",
      ),
    ),
    logClientIp: optional(Type.Boolean({ description: "Whether the caller's address is logged." })),
    sampling: optional(
      Type.Object(
        {
          percentage: optional(
            Type.Number({
              minimum: 0,
              maximum: 100,
              description: "How many of a hundred calls are logged.",
              examples: [50],
            }),
          ),
          samplingType: optional(worded(oneOf("fixed"), "How they are chosen.")),
        },
        { description: "Which part of the calls is logged." },
      ),
    ),
    verbosity: optional(worded(oneOf("verbose", "information", "error"), "How much is told of each call.")),
  };
}
const diagnosticProperties = Type.Object({ loggerId, ...settingsWith(Type.Optional) }, settingsWords);

export const diagnosticBody = Type.Object({ properties: diagnosticProperties });
/** All members are optional. Omitted members keep their values. */
export const diagnosticPatch = Type.Object({
  properties: Type.Optional(
    Type.Object({ loggerId: Type.Optional(loggerId), ...settingsWith(removable) }, settingsWords),
  ),
});
export const diagnostic = proxyAnswer({ properties: diagnosticProperties });
export const diagnosticFilter = nameFilter("diagnostics", "applicationinsights");
