/** json-server with its notes in memory, which is its fastest way to keep them. */
import { createServer } from "node:http";
import jsonServer from "json-server";

const app = jsonServer.create();
app.use(jsonServer.bodyParser);
app.use(
  jsonServer.router({ notes: [{ id: "bench", text: "a note of ordinary length, as people write them" }] }),
);
const server = createServer(app);
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
