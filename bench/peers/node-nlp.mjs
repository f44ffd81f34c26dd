/** node-nlp learns what the file says and is asked its questions; prints the processor time of both and what was right. */
import { readFileSync } from "node:fs";
import { NlpManager } from "node-nlp";

const { utterances, test } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const secondsSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const manager = new NlpManager({ languages: ["en"], autoSave: false, nlu: { log: false } });
const beforeTraining = process.cpuUsage();
for (const { text, intent } of utterances) manager.addDocument("en", text, intent);
await manager.train();
const trainSeconds = secondsSince(beforeTraining);

for (const { text } of test.slice(0, 200)) await manager.process("en", text);
const beforeAsking = process.cpuUsage();
let right = 0;
for (const { text, intent } of test) if ((await manager.process("en", text)).intent === intent) right += 1;
const askSeconds = secondsSince(beforeAsking);
process.stdout.write(JSON.stringify({ trainSeconds, askSeconds, accuracy: right / test.length }));
