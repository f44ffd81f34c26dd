/** The schema of a body `{error:{…}}`. */
export const errorSchemaOf = (
  required: readonly string[],
  properties: Readonly<Record<string, unknown>>,
) => ({
  type: "object",
  required: ["error"],
  properties: {
    error: { type: "object", description: "What went wrong.", required, properties },
  },
});
