/** What takes an executable: a small one that prints its name. */
import { readFileSync } from "node:fs";

const EXECUTABLE = readFileSync(new URL("../../../tests/support/packed64/bare-own.exe", import.meta.url));
const RULE = 'rule greeting { strings: $name = "hello" nocase condition: any of them or filesize > 0 }';

export async function recordUnpack({ call }) {
  const formWith = (fields = {}) => {
    const form = new FormData();
    form.append("file", new Blob([EXECUTABLE]), "greeting.exe");
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  };
  for (const name of ["unpack", "emulation-output", "generate-partial-yara-rules"])
    await call(`unpack.${name}`, `/unpack/v1/${name}`, formWith());
  const rules = formWith({ rules: Buffer.from(RULE).toString("base64") });
  await call("unpack.apply-yara-rules", "/unpack/v1/apply-yara-rules", rules);
}
