/** Settings: which source wins, and what each refuses. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Config, defaultConfig, isLocalName, isLoopback, readConfig, settingsWith } from "./config.ts";
import { ConfigError, type Setting, settingOf, variableOf } from "./setting.ts";

const colour: Setting<string> = {
  flag: "paint-colour",
  key: "paintColour",
  help: "red or blue",
  read(text) {
    if (text === "red" || text === "blue") return text;
    throw new ConfigError(`"${text}" is neither red nor blue`);
  },
};
const settings = settingsWith([colour]);

function withFile<T>(content: unknown, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "medley-config-"));
  const path = join(folder, "medley.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  try {
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("every flag has a variable, and both say the same", () => {
  const samples: Record<string, string> = {
    objects: "s3://bucket/prefix",
    "objects-endpoint": "https://store.example.org",
    "objects-path-style": "true",
    "public-url": "https://id.example.org",
    "trusted-proxies": "10.0.0.0/8",
    database: "postgres://host/name",
    "read-database": "postgres://standby/name",
    "log-level": "debug",
    "log-requests": "text",
    "body-memory-bytes": "2000000",
    "body-disk-bytes": "2000000",
    "picture-memory-bytes": "2000000",
    "paint-colour": "red",
  };
  for (const { flag, key: name, isSwitch } of settings) {
    const key = name as keyof Config;
    const text = samples[flag] ?? (isSwitch ? "yes" : "7");
    const byFlag = readConfig({ [flag]: text }, {}, settings);
    expect([flag, readConfig({}, { [variableOf(flag)]: text }, settings)[key]]).toEqual([flag, byFlag[key]]);
    expect([flag, byFlag[key]]).not.toEqual([flag, defaultConfig[key]]);
  }
  expect(variableOf("tls-port")).toBe("MEDLEY_TLS_PORT");
});

it("flags win over variables, variables over the file, the file over defaults", () => {
  withFile({ port: 1, data: "file", services: ["a", "b"], memory: true }, (config) => {
    const environment = { MEDLEY_CONFIG: config, MEDLEY_PORT: "2", MEDLEY_HOST: "variable" };
    const read = readConfig({ port: "3" }, environment, settings);
    expect(read).toMatchObject({
      port: 3,
      host: "variable",
      dataFolder: "file",
      services: ["a", "b"],
      memory: true,
      tlsPort: 4021,
    });
    expect(readConfig({}, environment, settings).port).toBe(2);
    expect(readConfig({ config }, {}, settings).port).toBe(1);
  });
});

it("what a service declares is a flag, a variable and a key of the file like any other", () => {
  expect(settingOf(readConfig({}, {}, settings), colour)).toBeUndefined();
  expect(settingOf(readConfig({ "paint-colour": "red" }, {}, settings), colour)).toBe("red");
  expect(settingOf(readConfig({}, { MEDLEY_PAINT_COLOUR: "blue" }, settings), colour)).toBe("blue");
  withFile({ "paint-colour": "blue" }, (config) => {
    expect(settingOf(readConfig({ config }, {}, settings), colour)).toBe("blue");
    expect(() => readConfig({ config }, {})).toThrow(/no setting named "paint-colour"/);
  });
});

it("an empty variable says nothing", () => {
  const environment = { MEDLEY_MEMORY: "", MEDLEY_PORT: "", MEDLEY_URL: "", MEDLEY_TOKEN: "" };
  expect(readConfig({}, environment, settings)).toEqual(defaultConfig);
});

describe("refuses, naming the flag", () => {
  it.each([
    ["port", "many", /--port: "many" is not a whole number from 0 to 65535/],
    ["port", "65536", /--port/],
    ["port", "-1", /--port/],
    ["port", "1.5", /--port/],
    ["database-connections", "0", /--database-connections/],
    ["read-database", "sqlite:x", /--read-database: "sqlite:x" is not an address/],
    [
      "read-database-lag-seconds",
      "1",
      /--read-database-lag-seconds: "1" is not a whole number from 2 to 3600/,
    ],
    ["job-poll-ms", "0", /--job-poll-ms/],
    ["job-lease-seconds", "0", /--job-lease-seconds/],
    ["request-log-size", "0", /--request-log-size/],
    ["provisioning-seconds", "soon", /--provisioning-seconds: "soon" is not a number/],
    ["memory", "perhaps", /--memory: "perhaps" is neither true nor false/],
    ["log-level", "loud", /--log-level: "loud" is none of/],
    ["database", "mysql://x/y", /--database: "mysql:\/\/x\/y" is not an address/],
    ["paint-colour", "green", /--paint-colour: "green" is neither red nor blue/],
  ])("--%s %s", (flag, text, words) => {
    expect(() => readConfig({ [flag]: text }, {}, settings)).toThrow(words);
  });
  it.each([
    [{ port: true }, /--port: "true" is not a whole number/],
    [{ port: { deep: 1 } }, /--port: \{"deep":1\} is neither/],
    [{ prot: 1 }, /there is no setting named "prot"/],
    [[1], /not a JSON object/],
    ["{", /--config .*medley.json/],
  ])("the file %j", (content, words) => {
    withFile(content, (config) => expect(() => readConfig({ config }, {}, settings)).toThrow(words));
  });
  it("a file that is not there", () => {
    expect(() => readConfig({ config: "/nowhere.json" }, {}, settings)).toThrow(
      /--config \/nowhere.json: there is no such file/,
    );
  });
});

it("a name that only begins or ends like this machine's is none of them", () => {
  const names = ["localhost", "127.0.0.1", "127.9.8.7", "::1"];
  expect(names.filter((name) => !isLoopback(name))).toEqual([]);
  expect([...names, "[::1]", "bank.localhost"].filter((name) => !isLocalName(name))).toEqual([]);
  const others = [
    "127.example.org",
    "127.0.0.1.example.org",
    "127.",
    "localhost.example.org",
    "notlocalhost",
    "",
  ];
  expect(others.filter((name) => isLoopback(name) || isLocalName(name))).toEqual([]);
});
