/** The usual settings, for the tests that `npm run mutate` has chosen alone. */
import settings from "../vitest.config.ts";

export default {
  ...settings,
  root: process.cwd(),
  test: { ...settings.test, include: process.env.MUTATION_TESTS.split(",") },
};
