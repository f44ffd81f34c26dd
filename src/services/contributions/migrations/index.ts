/** Forward migrations. Never change a released one. */
import type { Migration } from "#kernel/operation";
import { core } from "./core.ts";
import { edits } from "./edits.ts";
import { exports } from "./exports.ts";
import { fewerIndexes } from "./fewer-indexes.ts";
import { fewerMeetings } from "./fewer-meetings.ts";
import { media } from "./media.ts";
import { notifications } from "./notifications.ts";
import { ownedWords } from "./owned-words.ts";
import { searchTail } from "./search-tail.ts";
import { sparseIndexes } from "./sparse-indexes.ts";
import { stamps } from "./stamps.ts";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-core": core,
  "002-media": media,
  "003-exports": exports,
  "004-notifications": notifications,
  "005-stamps": stamps,
  "006-sparse-indexes": sparseIndexes,
  "007-search-tail": searchTail,
  "008-fewer-indexes": fewerIndexes,
  "009-owned-words": ownedWords,
  "010-fewer-meetings": fewerMeetings,
  "011-edits": edits,
};
