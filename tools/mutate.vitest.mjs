/** The usual settings, for the tests that `npm run mutate` has chosen alone. They run the sources, which is what is changed. */
import settings from "../vitest.config.ts";

const conditions = ["source", "node"];

export default {
  ...settings,
  plugins: [],
  root: process.cwd(),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    ...settings.test,
    include: process.env.MUTATION_TESTS.split(","),
    // Tests of rules need neither built modules nor a database.
    ...(process.env.MUTATION_RULES && { globalSetup: [] }),
  },
};
