/** The promised interface, and how its paths are compared with declared ones. */
import { readFileSync } from "node:fs";

export const promised = JSON.parse(readFileSync("contract/operations.json", "utf8"));

/** Parameters may be named otherwise (`{id}` or `:id`), and a trailing slash is always optional. */
export const shapeOf = (path) =>
  path
    .replace(/\/:\w+/g, "/{}")
    .replace(/\{[^}]*\}/g, "{}")
    .replace(/\/$/, "")
    .toLowerCase();
