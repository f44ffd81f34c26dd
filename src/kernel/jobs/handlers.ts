/** The jobs that this process can run, by name. */
import type { AnyJob } from "../operation/job.ts";
import { Names } from "./next-store.ts";

export type Handler = { readonly job: AnyJob; readonly service: string };

export class Handlers {
  readonly #byName = new Map<string, Handler>();
  #names = new Names([]);
  #workNames = this.#names;

  register(service: string, jobs: readonly AnyJob[]): void {
    for (const job of jobs) this.#byName.set(job.name, { job, service });
    const names = [...this.#byName.keys()];
    this.#names = new Names(names);
    const work = names.filter((name) => !this.isHousekeeping(name));
    this.#workNames = new Names(work, names.length - work.length);
  }
  get(name: string): Handler | undefined {
    return this.#byName.get(name);
  }
  get names(): Names {
    return this.#names;
  }
  /** All jobs but housekeeping. */
  get workNames(): Names {
    return this.#workNames;
  }
  get repeating(): readonly Handler[] {
    return [...this.#byName.values()].filter(({ job }) => job.repeat);
  }
  isHousekeeping(name: string): boolean {
    return this.#byName.get(name)?.job.housekeeping === true;
  }
  get housekeepingNames(): readonly string[] {
    return [...this.#byName.keys()].filter((name) => this.isHousekeeping(name));
  }
  /** The name of an unknown job begins with the name of its service. */
  serviceOf(name: string): string {
    return this.#byName.get(name)?.service ?? (name.split(".")[0] as string);
  }
}
