/** The public runtime names, and which of them run here. */

/** For `command`, the source names the program to run. */
export type Language = "nodejs" | "python" | "command";
export type Runtime = {
  readonly name: string;
  readonly displayName: string;
  readonly stage: "GA" | "DEPRECATED" | "DECOMMISSIONED" | "BETA";
  readonly language: Language;
};

const runtime = (
  name: string,
  displayName: string,
  stage: Runtime["stage"],
  language: Language = "command",
): Runtime => ({ name, displayName, stage, language });

export const RUNTIMES: readonly Runtime[] = [
  runtime("nodejs16", "Node.js 16", "DECOMMISSIONED", "nodejs"),
  runtime("nodejs18", "Node.js 18", "DEPRECATED", "nodejs"),
  runtime("nodejs20", "Node.js 20", "GA", "nodejs"),
  runtime("nodejs22", "Node.js 22", "GA", "nodejs"),
  runtime("nodejs24", "Node.js 24", "GA", "nodejs"),
  runtime("python39", "Python 3.9", "DEPRECATED", "python"),
  runtime("python310", "Python 3.10", "GA", "python"),
  runtime("python311", "Python 3.11", "GA", "python"),
  runtime("python312", "Python 3.12", "GA", "python"),
  runtime("python313", "Python 3.13", "GA", "python"),
  runtime("dotnet6", ".NET 6", "DEPRECATED"),
  runtime("dotnet8", ".NET 8", "GA"),
  runtime("go122", "Go 1.22", "GA"),
  runtime("go123", "Go 1.23", "GA"),
  runtime("java17", "Java 17", "GA"),
  runtime("java21", "Java 21", "GA"),
  runtime("php83", "PHP 8.3", "GA"),
  runtime("ruby33", "Ruby 3.3", "GA"),
];
/** Every runtime is there in both generations, which run alike here. */
export const ENVIRONMENTS = ["GEN_1", "GEN_2"] as const;
export const findRuntime = (name: string): Runtime | undefined => RUNTIMES.find((one) => one.name === name);

/** Programs on this machine besides Node. */
export type Machine = {
  readonly hasPython: boolean;
  readonly nodeVersion: string;
  /** Whether a function may start programs. */
  readonly hasBubblewrap: boolean;
  has(program: string): boolean;
};
/** The program of a runtime: `go` for `go123`. */
const programOf = ({ name }: Runtime): string => /^[a-z]+/.exec(name)?.[0] ?? name;

/** The reason why a runtime is not available here, or undefined. */
export function findObstacle(
  { name, language }: Runtime,
  { hasPython, hasBubblewrap }: Pick<Machine, "hasPython" | "hasBubblewrap">,
): string | undefined {
  if (language === "nodejs") return undefined;
  if (language === "python")
    return hasPython ? undefined : `The runtime ${name} needs python3, which is not on this machine.`;
  return hasBubblewrap
    ? undefined
    : `The runtime ${name} needs bubblewrap, which does not work on this machine.`;
}
export function warningsOf(runtime: Runtime, machine: Machine): string[] {
  const obstacle = findObstacle(runtime, machine);
  if (obstacle) return [obstacle];
  if (runtime.language === "nodejs" && runtime.name !== `nodejs${machine.nodeVersion.split(".")[0]}`)
    return [`Functions of this runtime run on Node.js ${machine.nodeVersion} here.`];
  if (runtime.language !== "command") return [];
  const program = programOf(runtime);
  const absence = machine.has(program) ? [] : [`There is no ${program} on this machine.`];
  return ["Sources of this runtime say in medley-function.json what to run.", ...absence];
}
