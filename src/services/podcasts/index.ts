/** The podcast directory (specification S5). Read domain/feeds and jobs/ next. */
import { defineService } from "#kernel/operation";
import { apiKeyIn, plain } from "#kernel/protocols";
import { makersDialect } from "./dialect.ts";
import { migrations } from "./migrations/index.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";

export default defineService({
  name: "podcasts",
  title: "Podcasts",
  summary: "A directory of podcasts: reads their feeds, searches them, recommends, and keeps lists.",
  contract: "S5",
  mount: "/podcasts/api/v2",
  protocol: plain({ scheme: apiKeyIn("X-Vendor-Api-Key") }),
  dialects: [makersDialect],
  operations: [],
  jobs: [],
  migrations,
  tables,
  start,
  forget,
  stop,
});
