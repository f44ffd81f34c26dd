/** Which addresses of a store are read, and what it needs besides. */
import { expect, it } from "vitest";
import { defaultConfig } from "../config/index.ts";
import { createLog } from "../observe/index.ts";
import { readObjectsAddress } from "./address.ts";
import { openS3 } from "./s3-store.ts";

it.each([
  ["s3://bucket", { bucket: "bucket", prefix: "" }],
  ["s3://bucket/", { bucket: "bucket", prefix: "" }],
  ["s3://my.bucket-1/a/b_c~d", { bucket: "my.bucket-1", prefix: "a/b_c~d/" }],
  [
    `s3://bucket/${`${"x".repeat(48)}/`.repeat(8)}y`,
    { bucket: "bucket", prefix: `${"x".repeat(48)}/`.repeat(8).concat("y/") },
  ],
  [`s3://bucket/${"x".repeat(100)}`, { bucket: "bucket", prefix: `${"x".repeat(100)}/` }],
])("%s is read", (text, address) => {
  expect(readObjectsAddress(text)).toEqual(address);
});

it.each([
  "bucket",
  "http://bucket/x",
  "s3://",
  "s3://ab",
  "s3://Bucket",
  `s3://${"b".repeat(64)}`,
  "s3://bucket//x",
  "s3://bucket/../x",
  "s3://bucket/a b",
  "s3://bucket/ü",
  `s3://bucket/${"x".repeat(101)}`,
  `s3://bucket/${`${"x".repeat(48)}/`.repeat(8)}yy`,
])("%s is refused", (text) => {
  expect(() => readObjectsAddress(text)).toThrow(/not an address such as s3:\/\/bucket\/prefix/);
});

it("a store needs its keys", () => {
  const config = { ...defaultConfig, objects: "s3://bucket" };
  const log = createLog("silent");
  expect(openS3(defaultConfig, log)).toBeUndefined();
  expect(() => openS3(config, log)).toThrow(/MEDLEY_OBJECTS_KEY_ID/);
  expect(openS3({ ...config, objectsKeyId: "a", objectsSecret: "b" }, log)).toBeDefined();
});
