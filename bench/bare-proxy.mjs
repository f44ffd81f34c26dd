/** What can be had at best: hands each request on to one backend by the same two libraries, and does nothing else. */
import { createServer } from "node:http";
import { Pool } from "undici";

const backend = new URL(process.argv[2]);
const pool = new Pool(backend.origin, { connections: 256 });
const ENDS_HERE = new Set(["connection", "keep-alive", "host"]);
const kept = (head) =>
  head.filter((_, index) => !ENDS_HERE.has(String(head[index - (index % 2)]).toLowerCase()));

const server = createServer((request, response) => {
  let body = "";
  const options = {
    path: request.url,
    method: request.method,
    headers: kept(request.rawHeaders),
    body: null,
  };
  pool.dispatch(options, {
    onConnect() {},
    onHeaders(status, head) {
      response.writeHead(status, kept(head.map(String)));
      return true;
    },
    onData(part) {
      body += part.latin1Slice();
      return true;
    },
    onComplete: () => response.end(body, "latin1"),
    onError: () => response.destroy(),
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
