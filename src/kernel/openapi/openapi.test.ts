/** OpenAPI as it is sent: made once, with the address it was asked for by. */
import { expect, it } from "vitest";
import { bearer, plain } from "../protocols/index.ts";
import { sampleService } from "../testing/index.ts";
import { openApiBytesOf, openApiOf } from "./openapi.ts";

const services = [sampleService({ name: "sample", mount: "/sample", protocol: plain({ scheme: bearer }) })];
const read = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

it("is the same for everyone but for the address", () => {
  const bytesOf = openApiBytesOf(services);
  for (const origin of ["http://127.0.0.1:4020", "https://odd.example/$&$'\""])
    expect(read(bytesOf(origin))).toEqual(JSON.parse(JSON.stringify(openApiOf(services, origin))));
});
it("is made once, and kept for a few addresses", () => {
  const bytesOf = openApiBytesOf(services);
  const first = bytesOf("http://first");
  expect(bytesOf("http://first")).toBe(first);
  for (let i = 0; i < 20; i += 1) bytesOf(`http://${i}`);
  expect(bytesOf("http://first")).not.toBe(first);
  expect(bytesOf("http://first")).toEqual(first);
});
it("says of every operation that it may be unavailable", () => {
  const { paths } = openApiOf(services, "") as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods)) expect(responses).toHaveProperty("503");
});
