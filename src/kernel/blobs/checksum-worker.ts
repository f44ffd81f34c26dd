/** The thread that computes checksums: several at a time, each piece by piece. */
import { createHash, type Hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { Answered, Asked } from "./checksum.ts";

if (!parentPort) throw new Error("this file is the inside of a thread");
const port = parentPort;
const underWay = new Map<number, Hash>();
const answer = (answered: Answered): void => port.postMessage(answered);

port.on("message", (asked: Asked) => {
  const { id } = asked;
  const hash = underWay.get(id) ?? createHash("sha256");
  if ("bytes" in asked) {
    underWay.set(id, hash.update(asked.bytes));
    return answer({ id, sha256: "" });
  }
  underWay.delete(id);
  if (asked.end === "digest") answer({ id, sha256: hash.digest("hex") });
});
