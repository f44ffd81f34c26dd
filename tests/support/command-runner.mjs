/**
 * Runs commands of the built product one after another, as `dist/main.js` does, in one process: most of what a command
 * costs is the start of Node and the loading of modules. Each message is one command; the answer is what it wrote.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

const { run } = createRequire(import.meta.url)(join(import.meta.dirname, "../../dist/load.cjs"));
const environment = { ...process.env };
// Each command listens for the end of its reader.
process.stdout.setMaxListeners(0);

function collected(stream) {
  const parts = [];
  stream.write = (part, encoding, done = encoding) => {
    parts.push(Buffer.from(part));
    if (typeof done === "function") done();
    return true;
  };
  return () => Buffer.concat(parts).toString();
}

async function answer({ words, changes }) {
  process.env = { ...environment, ...changes };
  const [output, errors] = [collected(process.stdout), collected(process.stderr)];
  const code = await run(words).catch((error) => {
    console.error(error);
    return 1;
  });
  process.send({ code, output: output(), errors: errors() });
}

process.on("message", answer);
process.on("disconnect", () => process.exit());
