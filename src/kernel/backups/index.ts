/** What the content of backups is written and read with, by all services whose resources can be backed up. */
export { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "./content.ts";
export { lineOf, RecordReader, readHead } from "./records.ts";
