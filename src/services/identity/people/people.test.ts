/** The pure rules about people: names, passwords, networks, profiles, browsers, cookies. */

import { describe, expect, it } from "vitest";
import { networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { clearOpenCookie, findCookie, hostCookie, listHostCookies, openCookie } from "./cookies.ts";
import { findEmailProblem, findPasswordProblem, findUsernameProblem, keyOf } from "./domain/names.ts";
import { readProfile } from "./domain/profile-form.ts";
import { describeAgent } from "./domain/user-agents.ts";
import { inMinutes } from "./guessing.ts";

describe("names", () => {
  it("are one name whatever their case, width and spaces around them", () => {
    expect(keyOf(" Ａnn ")).toBe(keyOf("ann"));
    expect(keyOf("ann")).not.toBe(keyOf("anna"));
  });
  it.each(["ann", "ann.b-c_d", "Zoë", "李小龙", "a1b", "x".repeat(64)])("%s is a user name", (name) => {
    expect(findUsernameProblem(name)).toBeUndefined();
  });
  it.each(["", "ab", ".ann", "ann.", "a b", "ann@x", "an\u0000n", "x".repeat(65), "a\u202eb"])(
    "%j is no user name",
    (name) => {
      expect(findUsernameProblem(name)).toBeDefined();
    },
  );
  it.each(["a@b", "ann.b+c@example.org", "ann@xn--bcher-kva.example"])("%s is an address", (email) => {
    expect(findEmailProblem(email)).toBeUndefined();
  });
  it.each(["", "a", "@b", "a@", "a b@c", "a@b..c", "a@-b", "a@b\nbcc: c@d", "<a@b>", `${"x".repeat(65)}@b`])(
    "%j is no address",
    (email) => {
      expect(findEmailProblem(email)).toBeDefined();
    },
  );
});

describe("passwords", () => {
  it.each(["quiet river stone", "ñandú corre lejos", "T7#kq!zPw9$"])("%s is good enough", (password) => {
    expect(findPasswordProblem(password, ["ann"])).toBeUndefined();
  });
  it.each([
    "short",
    "aaaaaaaaaaaa",
    "12345678901234",
    "Password2026!",
    "qwertyqwerty",
    "Ann.Example",
    "x".repeat(257),
  ])("%s is not", (password) => {
    expect(findPasswordProblem(password, ["ann.example"])).toBeDefined();
  });
});

describe("networks", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
  ])("%s counts as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
  it("waiting is told in minutes, rounded up", () => {
    expect([1, 60_000, 60_001, 900_000].map(inMinutes)).toEqual([
      "a minute",
      "a minute",
      "2 minutes",
      "15 minutes",
    ]);
  });
});

describe("profiles", () => {
  it("keep what is filled in, trimmed, in the words of OpenID Connect", () => {
    const { about, email, problems } = readProfile({
      name: " Ann ",
      nickname: "",
      email: "ann@example.org",
      phone_number: "+41 (44) 123-45-67",
      locality: "Bern",
      latitude: "46.948",
      longitude: "7.4474",
    });
    expect(problems).toEqual({});
    expect(email).toBe("ann@example.org");
    expect(about).toEqual({
      name: "Ann",
      phoneNumber: "+41441234567",
      address: { locality: "Bern" },
      location: { latitude: 46.948, longitude: 7.4474, address: { locality: "Bern" } },
    });
  });
  it.each([
    ["birthdate", "2023-02-29"],
    ["birthdate", "1900-02-29"],
    ["birthdate", "2024-13-01"],
    ["zoneinfo", "Europe/Atlantis"],
    ["locale", "not a language"],
    ["website", "ftp://example.org"],
    ["website", "data:text/html,x"],
    ["phone_number", "0441234567"],
    ["latitude", "1e2"],
    ["name", "Ann\u0007"],
    ["name", "x".repeat(201)],
  ])("%s %j is refused", (field, value) => {
    expect(readProfile({ [field]: value }).problems).toHaveProperty(field);
  });
  it("29 February of a leap year is a day", () => {
    expect(readProfile({ birthdate: "2000-02-29" }).problems).toEqual({});
  });
});

it.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 Version/17.0 Mobile Safari/604",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537 Chrome/126.0 Safari/537 Edg/126.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Linux; Android 14) AppleWebKit/537 Chrome/126.0 Mobile Safari/537", "Chrome on Android"],
  ["curl/8.5.0", "curl"],
  ["", "Unknown browser"],
])("%s is %s", (agent, words) => {
  expect(describeAgent(agent)).toBe(words);
});

describe("cookies", () => {
  const asked = (mountUrl: string, cookie?: string, dest?: string) =>
    ({ request: { mountUrl, headers: { cookie, "sec-fetch-dest": dest } } }) as unknown as Pick<
      Context,
      "request"
    >;

  it("are found by their whole name", () => {
    const context = asked("http://localhost/identity", "xa=1; a=2; b=x=y");
    expect(["a", "b", "c"].map((name) => findCookie(context, name))).toEqual(["2", "x=y", undefined]);
  });
  it("get every protection that the connection allows", () => {
    const plain = asked("http://localhost:4020/identity");
    const secure = asked("https://identity.localhost");
    expect(hostCookie(plain, "a", "1", { sites: "embedded" })).toEqual([
      "a=1; Path=/identity; HttpOnly; SameSite=Lax",
    ]);
    expect(hostCookie(secure, "a", "1", { sites: "embedded" })).toEqual([
      "__Host-a=1; Path=/; HttpOnly; SameSite=None; Secure",
    ]);
    expect(openCookie(secure, "a", "1", { sites: "own", below: "/dashboard", maxAgeSeconds: 5 })).toEqual([
      "a=1; Path=/dashboard; Max-Age=5; HttpOnly; SameSite=Strict; Secure",
    ]);
    expect(clearOpenCookie(plain, "a", { sites: "linked", readableByScript: true })).toEqual([
      "a=; Path=/identity; Max-Age=0; SameSite=Lax",
    ]);
  });
  it("are set in two kinds inside a frame, of which browsers keep what they like", () => {
    const framed = asked("https://identity.localhost", undefined, "iframe");
    const cookie = "__Host-a=1; Path=/; HttpOnly; SameSite=None; Secure";
    expect(hostCookie(framed, "a", "1", { sites: "embedded" })).toEqual([cookie, `${cookie}; Partitioned`]);
    expect(openCookie(framed, "a", "1", { sites: "own" })).toHaveLength(1);
    expect(
      hostCookie(asked("http://localhost", undefined, "iframe"), "a", "1", { sites: "embedded" }),
    ).toHaveLength(1);
  });
  it("come back in both kinds over a secure connection only, where no neighbour can add one", () => {
    const both = "__Host-a=1; a=9; __Host-a=2; __Host-a=3";
    expect(listHostCookies(asked("https://identity.localhost", both), "a")).toEqual(["1", "2"]);
    expect(listHostCookies(asked("http://localhost", "a=1; a=2"), "a")).toEqual(["1"]);
  });
});
