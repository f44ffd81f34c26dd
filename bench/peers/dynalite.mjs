/** dynalite, an emulator of Amazon's DynamoDB, with its items in memory. It wants a signature and does not check it. */
import dynalite from "dynalite";

const server = dynalite({ createTableMs: 0 });
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
