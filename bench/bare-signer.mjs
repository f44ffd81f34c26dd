/**
 * What can be had at best of signed payments: checks the signature of each request with the client's key and signs each answer, on
 * threads beside, with the same library and keys of the same length, and does nothing else.
 */
import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { createServer } from "node:http";
import { watchTurns } from "./turns.mjs";

const clientKey = createPublicKey(process.argv[2]);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
let id = 0;

function answer(response) {
  const body = `{"id":${++id}}`;
  sign("sha256", Buffer.from(body), privateKey, (_failure, signed) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
      "x-vendor-server-signature": signed.toString("base64"),
    });
    response.end(body);
  });
}
const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const signature = Buffer.from(request.headers["x-vendor-client-signature"], "base64");
    verify("sha256", Buffer.concat(parts), clientKey, signature, (_failure, isRight) => {
      if (isRight) answer(response);
      else response.writeHead(400).end();
    });
  });
});
/** As the other servers of the benchmark are asked. */
const turns = watchTurns();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ ...turns.take(), allThreadsMs: (user + system) / 1000 });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
