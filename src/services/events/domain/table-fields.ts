/** Fields of table actions that are expressions. */
export const TABLE_FIELDS = [
  "tableName",
  "hashKeyField",
  "hashKeyType",
  "hashKeyValue",
  "rangeKeyField",
  "rangeKeyType",
  "rangeKeyValue",
  "operation",
  "payloadField",
] as const;
