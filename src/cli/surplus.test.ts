/** Which words fit the lines of a usage. */
import { expect, it } from "vitest";
import { refuseSurplus } from "./surplus.ts";

const clock = ["clock show", "clock freeze", "clock advance 36h [--all]"];
const credentials = [
  "credentials [--json|--env]",
  "credentials create [--kind token|apiKey] [--scope s]",
  "credentials revoke ID | credentials revoke --account A",
];
it.each([
  [clock, "show extra", "extra"],
  [clock, "freeze now please", "now"],
  [clock, "advance 36h 12h", "12h"],
  [credentials, "create token", "token"],
  [credentials, "revoke a b", "b"],
  [["serve [--port N] [--data DIR]"], "extra", "extra"],
  [["shelf import FILE [--account A]"], "import a.txt b.txt", "b.txt"],
])("%j refuses %s", (usage, words, surplus) => {
  expect(() => refuseSurplus(words.split(" "), usage)).toThrow(`"${surplus}" is not a flag`);
});
it.each([
  [clock, "show"],
  [clock, "advance 36h"],
  [clock, "advance"],
  [clock, "stand-still extra"],
  [credentials, "revoke a"],
  [["seed [service…] [--account A]"], "a b c d"],
  [["shelf import FILE [--account A]"], "import a.txt"],
])("%j takes %s, or leaves it to the command to say what is missing", (usage, words) => {
  expect(() => refuseSurplus(words.split(" "), usage)).not.toThrow();
});
