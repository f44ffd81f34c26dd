/** Authorities from files and texts, and what is wrong with them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientCertificatePem } from "../../../tests/support/client-certificate.ts";
import { ConfigError, readAuthorities, readConfig } from "./index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-authorities-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const one = clientCertificatePem.trim();

it("reads every certificate of a file, and texts", () => {
  const bundle = fileWith("bundle.pem", `a comment\n${clientCertificatePem}\n${clientCertificatePem}`);
  expect(readAuthorities([bundle])).toEqual([one, one]);
  expect(readAuthorities([clientCertificatePem])).toEqual([one]);
  expect(readAuthorities([])).toEqual([]);
});

it("takes files from a flag and from a variable", () => {
  expect(readConfig({ "outbound-authorities": "a.pem, b.pem" }, {}).outboundAuthorities).toEqual([
    "a.pem",
    "b.pem",
  ]);
  expect(readConfig({}, { MEDLEY_OUTBOUND_AUTHORITIES: "c.pem" }).outboundAuthorities).toEqual(["c.pem"]);
});

it.each([
  ["no such file", () => join(folder, "absent.pem"), /absent.pem" cannot be read: ENOENT/],
  ["no certificate", () => fileWith("empty.pem", "nothing"), /empty.pem" holds no certificate/],
  [
    "a broken certificate",
    () => fileWith("broken.pem", one.replace("MII", "AAA")),
    /broken.pem" holds a certificate that cannot be read/,
  ],
  ["a key", () => "-----BEGIN PRIVATE KEY-----", /the given text holds no certificate/],
])("says what is wrong: %s", (_what, entry, problem) => {
  expect(() => readAuthorities([entry()])).toThrow(ConfigError);
  expect(() => readAuthorities([entry()])).toThrow(problem);
});
