/** One server for the benchmark, as a process of its own: `raw` node:http, or the built product with the sample service. */
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { apiKeyIn, bearer, plain, sigv4 } from "../dist/bundled/protocols.js";
import { sampleService } from "../dist/bundled/testing.js";
import { startMedley } from "../dist/index.js";
import { watchTurns } from "./turns.mjs";

const [, , kind, options = "{}"] = process.argv;

/** Answers the same bytes that the product answers for a note, after reading the body. */
function startRaw() {
  const answer = JSON.stringify({
    id: "bench",
    text: "a note of ordinary length, as people write them",
    count: 0,
  });
  /** As many as `?bytes=` asks for, made once; `?megabytes=` come one by one. */
  const long = new Map();
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  const stream = (response, megabytes) => {
    response.writeHead(200, { "content-length": megabytes * megabyte.length });
    Readable.from(Array.from({ length: megabytes }, () => megabyte)).pipe(response);
  };
  const answerTo = (url) => {
    if (url === "/") return answer;
    const bytes = url.split("?bytes=")[1];
    if (bytes === undefined) return answer;
    if (!long.has(bytes)) long.set(bytes, Buffer.alloc(Number(bytes), "x"));
    return long.get(bytes);
  };
  const server = createServer((request, response) => {
    const end = () => {
      const megabytes = request.url.split("?megabytes=")[1];
      if (megabytes !== undefined) return stream(response, Number(megabytes));
      const body = answerTo(request.url);
      response.writeHead(request.method === "GET" ? 200 : 201, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    };
    if (request.method === "GET") end();
    else request.on("data", () => {}).on("end", end);
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
}

/** `moreServices`: of the same kind, for the sake of their routes. */
async function startProduct({ moreServices = 0, ...settings }) {
  const medley = await startMedley({
    credentialsFile: new URL("../tests/support/credentials.json", import.meta.url).pathname,
    // So that one signature serves a load of requests whose bodies differ.
    allowUnsignedPayload: true,
    bankRateLimit: 0,
    extraServices: [
      ...Array.from({ length: moreServices }, (_, i) =>
        sampleService({ name: `more-${i}`, mount: `/more-${i}`, protocol: plain({ scheme: bearer }) }),
      ),
      sampleService({
        name: "sample-key",
        mount: "/sample-key",
        protocol: plain({ scheme: apiKeyIn("X-Vendor-Key") }),
      }),
      sampleService({
        name: "sample-signed",
        mount: "/sample-signed",
        protocol: sigv4({ signingName: "sample" }),
      }),
    ],
    ...settings,
  });
  process.stdout.write(`${medley.url}\n`);
}

/** Asked for what its main thread did since the last time it was asked, and for the processor time of all threads. */
const turns = watchTurns();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ ...turns.take(), allThreadsMs: (user + system) / 1000 });
});
process.on("SIGINT", () => process.exit(0));
if (kind === "raw") startRaw();
else await startProduct(JSON.parse(options));
