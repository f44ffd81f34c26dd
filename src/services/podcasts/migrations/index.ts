/** Forward migrations. A released migration never changes. */
import type { Migration } from "#kernel/operation";
import { catalog } from "./catalog.ts";
import { descriptions } from "./descriptions.ts";
import { directory } from "./directory.ts";
import { pieces } from "./pieces.ts";
import { search } from "./search.ts";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-directory": directory,
  "002-search": search,
  "003-pieces": pieces,
  "004-descriptions": descriptions,
  "005-catalog": catalog,
};
