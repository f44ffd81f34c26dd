/**
 * Checks the Python sources. The compiler finds mistakes of syntax, and `tools/check-python.py` names that nobody defines
 * and imports that nobody uses. `tools/check-boto3.py` compares the recorded examples with the validator of boto3, where
 * that is installed. Machines without Python skip this, as they skip the tests of Python functions.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const sources = ["src", "tools"].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".py"))
    .map((name) => join(folder, name)),
);
const { error, status } = spawnSync("python3", ["-W", "error", "tools/check-python.py", ...sources], {
  stdio: "inherit",
});
if (error) console.log("no Python here: its sources are not checked");
else if (status !== 0) process.exit(1);
else process.exit(spawnSync("python3", ["tools/check-boto3.py"], { stdio: "inherit" }).status ?? 1);
