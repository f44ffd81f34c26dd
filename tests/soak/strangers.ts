/** Strangers who upload all the time, from many addresses: executables to be unpacked, and pictures for an assignment. */
import sharp from "sharp";
import { pause } from "../support/eventually.ts";
import { makePackedExecutable } from "../support/executables.ts";
import type { Outcomes } from "./mixed-load.ts";

const TOKEN = "first-token-0001";
const PAUSE_MS = 250;
/** So many different files and addresses: what is kept stays the same, the work does not. */
const FILES = 40;
const NETWORKS = 200;
const TURNS = 20_000;

/** Counts for a while before it unpacks anything: another file for each number. */
function executableOf(n: number): Buffer {
  const turns = TURNS + (n % FILES);
  const prologue = [0xb9, turns & 0xff, (turns >>> 8) & 0xff, (turns >>> 16) & 0xff, 0, 0xe2, 0xfe];
  return makePackedExecutable({ prologue });
}
const fileOf = (bytes: Buffer, name: string): File => new File([new Uint8Array(bytes)], name);

export class Strangers {
  readonly #urls: readonly string[];
  readonly #outcomes: Outcomes;
  #assignment = "";
  #picture: Buffer = Buffer.alloc(0);
  #over = false;
  #running: Promise<unknown> = Promise.resolve();
  constructor(urls: readonly string[], outcomes: Outcomes) {
    this.#urls = urls;
    this.#outcomes = outcomes;
  }
  async prepare(): Promise<void> {
    const made = await fetch(`${this.#urls[0]}/contributions/1/assignments`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Soak", allowsAnonymousContributions: true }),
    });
    if (!made.ok) throw new Error(`no assignment: ${made.status} ${await made.text()}`);
    this.#assignment = ((await made.json()) as { id: string }).id;
    this.#picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#447799" } })
      .jpeg()
      .toBuffer();
  }
  begin(): void {
    this.#running = Promise.all([
      this.#repeat("/unpack/v1/unpack", (n) => {
        const form = new FormData();
        form.set("file", fileOf(executableOf(n), "soak.exe"));
        return form;
      }),
      this.#repeat(`/contributions/1/pages/${this.#assignment}/contributions`, (n) => {
        const form = new FormData();
        form.set("headline", `Soaked ${n % FILES}`);
        form.set("consent", "yes");
        form.append("pictures", fileOf(this.#picture, "street.jpg"));
        return form;
      }),
    ]);
  }
  async end(): Promise<void> {
    this.#over = true;
    await this.#running;
  }
  async #repeat(path: string, formOf: (n: number) => FormData): Promise<void> {
    for (let n = 0; !this.#over; n += 1) {
      const headers = { "x-forwarded-for": `203.0.${Math.floor((n % NETWORKS) / 100)}.${n % 100}` };
      const url = `${this.#urls[n % this.#urls.length]}${path}`;
      await fetch(url, { method: "POST", headers, body: formOf(n), redirect: "manual" }).then(
        async (answer) => this.#outcomes.note(`POST ${path}`, answer.status, await answer.text()),
        () => this.#outcomes.note(`POST ${path}`, 0),
      );
      await pause(PAUSE_MS);
    }
  }
}
