/** Fields of an action on a table that are expressions. */
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
