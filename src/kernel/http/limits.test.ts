/** Limits of bodies, forms, streams and paths: the last that fits is taken, the first beyond it is refused. */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { processorMsWhile } from "../../../tests/support/processor-time.ts";
import { noBody, operationsFor } from "../operation/index.ts";
import { decodeBody } from "./body.ts";
import { decidedPath } from "./decided-path.ts";
import { EndlessStreams } from "./endless-streams.ts";
import { parseMultipart } from "./multipart.ts";
import { streamedParts } from "./streamed-parts.ts";

const FIELD_BYTES_MAX = 1024 * 1024;
const TYPE = "multipart/form-data; boundary=cut";
const operation = operationsFor()({
  id: "sample.take",
  summary: "Takes anything",
  description: "Takes anything.",
  method: "POST",
  path: "/anything",
  permission: "sample:Take",
  bodyKinds: ["json", "form"],
  answers: { 204: noBody },
  handle: () => {},
});
const decoded = async (text: string, type = "application/json") =>
  (await decodeBody(operation, type, Buffer.from(text))).value;
const field = (name: string, value = "") =>
  `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fields = (count: number): Buffer => Buffer.from(`${field("a").repeat(count)}--cut--\r\n`);
const sized = (bytes: number): Buffer => Buffer.from(`${field("a", "x".repeat(bytes))}--cut--\r\n`);
async function streamed(form: Buffer): Promise<number> {
  let count = 0;
  for await (const _part of streamedParts(
    TYPE,
    (async function* () {
      yield form;
    })(),
  ))
    count += 1;
  return count;
}

it.each<[string, number, (size: number) => string]>([
  ["levels of nesting", 200, (size) => "[".repeat(size) + "]".repeat(size)],
  [
    "levels of nesting, in a long text",
    200,
    (size) => `${"[".repeat(size)}${" ".repeat(5000)}${"]".repeat(size)}`,
  ],
  ["members", 10_000, (size) => `{${Array.from({ length: size }, (_, n) => `"m${n}":0`).join()}}`],
  ["items", 100_000, (size) => `[${"0,".repeat(size)}0]`],
])("%s of JSON", async (_what, max, make) => {
  await expect(decoded(make(max))).resolves.toBeDefined();
  await expect(async () => decoded(make(max + 1))).rejects.toThrow(/nested too deeply|more than/);
});

it("a thousand fields of a form count, and those after them do not", async () => {
  const form = Array.from({ length: 1001 }, (_, n) => `f${n}=x`).join("&");
  const names = Object.keys((await decoded(form, "application/x-www-form-urlencoded")) as object);
  expect([names.length, names.at(-1)]).toEqual([1000, "f999"]);
});

it("1100 parts of a form, and a megabyte of each field", async () => {
  expect((await parseMultipart(TYPE, fields(1100))).a).toHaveLength(1100);
  await expect(parseMultipart(TYPE, fields(1101))).rejects.toThrow("too many parts");
  expect((await parseMultipart(TYPE, sized(FIELD_BYTES_MAX))).a).toHaveLength(FIELD_BYTES_MAX);
  await expect(parseMultipart(TYPE, sized(FIELD_BYTES_MAX + 1))).rejects.toThrow("too long");
});

it("the rest of a refused form is not parsed", async () => {
  const many = Buffer.from(field("a", "x").repeat(200_000));
  const refused = () => expect(parseMultipart(TYPE, many)).rejects.toThrow("too many parts");
  expect(await processorMsWhile(refused)).toBeLessThan(1000);
});

const FILE = '--cut\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\n';
it.each<[string, string]>([
  ["in a file", `${FILE}x`],
  ["in a long file", FILE + "x".repeat(300_000)],
  ["in the second file", `${FILE}x\r\n${FILE}y`],
  ["in the head of a file", FILE.slice(0, -4)],
  ["in a field", field("a", "x").slice(0, -2)],
  ["in a part without a name", "--cut\r\n\r\nx"],
  ["with a part without a head", "--cut\r\n\r\n--cut--\r\n"],
  ["with a head that does not end", "--cut\r\na: b\r\n--cut--\r\n"],
  ["with a head that does not end after a field", `${field("a")}--cut\r\na: b\r\n--cut--\r\n`],
  ["with a head that does not end after a file", `${FILE}x\r\n--cut\r\na: b\r\n--cut--\r\n`],
  ["in one of too many fields", field("a").repeat(1101)],
  ["in one of too many files", `${FILE}\r\n`.repeat(1101)],
  ["in one of very many files", `${FILE}\r\n`.repeat(10_000)],
])("a form that ends %s is refused, and nothing else happens", async (_where, form) => {
  await expect(parseMultipart(TYPE, Buffer.from(form))).rejects.toThrow("The multipart form is not valid");
  await expect(streamed(Buffer.from(form))).rejects.toThrow("The multipart form is not valid");
  // An error that nobody handles would come now, and fail the run.
  await new Promise((resolve) => setTimeout(resolve, 10));
});

it("200 parts of a form that is streamed, and a megabyte of each field", async () => {
  expect(await streamed(fields(200))).toBe(200);
  await expect(streamed(fields(201))).rejects.toThrow("too many parts");
  expect(await streamed(sized(FIELD_BYTES_MAX))).toBe(1);
  await expect(streamed(sized(FIELD_BYTES_MAX + 1))).rejects.toThrow("too long");
});

it("500 endless streams of an address; one that ends makes room", () => {
  const streams = new EndlessStreams();
  const open = (address: string) => {
    const response = new EventEmitter();
    return { response, isTaken: streams.add(address, response as ServerResponse) };
  };
  const opened = Array.from({ length: 500 }, () => open("192.0.2.1"));
  expect(opened.every(({ isTaken }) => isTaken)).toBe(true);
  expect([open("192.0.2.1").isTaken, open("192.0.2.2").isTaken]).toEqual([false, true]);
  opened[0]?.response.emit("close");
  expect([open("192.0.2.1").isTaken, open("192.0.2.1").isTaken]).toEqual([true, false]);
});

it("a name may be encoded four times", () => {
  const encoded = (times: number) => `/items/%${"25".repeat(times - 1)}41`;
  expect(decidedPath(encoded(4))).toBe(encoded(4));
  expect(decidedPath(encoded(5))).toBeUndefined();
});
