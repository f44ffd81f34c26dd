/** How callers show their key, and how errors look: the reference's member beside the object that clients read. */
import { apiKeyIn, bearer, bearerTokenOf, plain, type Scheme } from "#kernel/protocols";

const apiKey = apiKeyIn("Vendor-Subscription-Key", { parameter: "subscription-key" });
/** An account's token opens it too: the command line has no other credential. */
const scheme: Scheme = {
  ...apiKey,
  findShownSecret: (call) => apiKey.findShownSecret?.(call) ?? bearer.findShownSecret?.(call),
  authenticate: (call, tools) =>
    bearerTokenOf(call) && !apiKey.findShownSecret?.(call)
      ? bearer.authenticate(call, tools)
      : apiKey.authenticate(call, tools),
};

export const protocol = plain({
  scheme,
  errorBody: ({ code, message }) => ({ errorType: code, error: { code, message } }),
  errorSchema: {
    type: "object",
    required: ["errorType", "error"],
    properties: {
      errorType: {
        type: "string",
        description: "A fixed name for programs.",
        examples: ["BadArgument"],
      },
      error: {
        type: "object",
        description: "The same with words for people.",
        required: ["code", "message"],
        properties: {
          code: { type: "string", description: "A fixed name for programs.", examples: ["BadArgument"] },
          message: {
            type: "string",
            description: "What went wrong, in words.",
            examples: ["Cannot find an application with the ID 0f0b8b52-8a34-4a3e-9c8b-1f5c1c2d3e4f."],
          },
        },
      },
    },
  },
});
