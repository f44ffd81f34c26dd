/** The carrier's address, as people write it. */
import { expect, it } from "vitest";
import { carrier } from "./settings.ts";

it.each([
  ["sip:127.0.0.1:5080", { host: "127.0.0.1", port: 5080 }],
  ["sip:carrier.example", { host: "carrier.example", port: 5060 }],
  [
    "sip:us%40er:pass%3Aword@carrier.example:5070?from=%2B12065550150",
    {
      host: "carrier.example",
      port: 5070,
      username: "us@er",
      password: "pass:word",
      from: "+12065550150",
    },
  ],
])("understands %s", (text, settings) => {
  expect(carrier.read(text)).toEqual(settings);
});

it.each(["http://x", "sip:", "carrier.example", ""])("refuses %j", (text) => {
  expect(() => carrier.read(text)).toThrow(`"${text}" is not a sip:host:port address`);
});
