/** Which service a request addresses: by path, by host name, or by an unambiguous path at the root. */
import Router from "find-my-way";
import type { Dialect } from "../dialects/dialect.ts";
import { joinDialects } from "../dialects/join.ts";
import type { Service } from "../operation/service.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { runAtOnce, runInSteps } from "../workers/yielding.ts";
import { CompiledOperation } from "./compiled-operation.ts";
import { preflightOf } from "./preflight.ts";
import { declaredParams, type RoutePath, routePathsOf } from "./route-paths.ts";

const PARAMETER_LENGTH_MAX = 4096;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

type Routes = Router.Instance<Router.HTTPVersion.V1>;

export type Route = {
  readonly service: Service;
  readonly compiled: CompiledOperation;
  readonly forms: RoutePath["forms"];
};
export type Found = { readonly route: Route; readonly params: Readonly<Record<string, string | undefined>> };
/** `prefix`: the part of the path before what the service declares. */
export type Located = { readonly mount: Mount; readonly prefix: string; readonly path: string };

/** All services of one address. They share a protocol, so that an unknown path still has an error shape. */
export class Mount {
  readonly path: string;
  /** `management` in `management.localhost`. */
  readonly label: string;
  /** The rest of the path on that host. */
  readonly innerPrefix: string;
  readonly services: readonly Service[];
  readonly #first: Service;
  #dialects: readonly Dialect[] | undefined;
  readonly rootPrefixes: readonly string[];
  /** Whether the first segment may be a host label instead: `lantern.configuration.localhost`. */
  readonly firstSegmentAsHost: boolean;
  #routes: Routes | undefined;
  #making: Promise<void> | undefined;
  #preflight: Route | undefined;

  constructor(path: string, services: readonly Service[]) {
    const [first] = services;
    if (!first) throw new Error(`nothing is mounted at ${path}`);
    this.path = path === "/" ? "" : path;
    const secondSlash = path.indexOf("/", 1);
    this.label = path.slice(1, secondSlash < 0 ? undefined : secondSlash);
    this.innerPrefix = secondSlash < 0 ? "" : path.slice(secondSlash);
    this.services = services;
    this.#first = first;
    this.rootPrefixes = services
      .flatMap((service) => (service.mount === path ? (service.rootPaths ?? []) : []))
      .map((root) => this.innerPrefix + root);
    this.firstSegmentAsHost = services.some((service) => service.firstSegmentAsHost);
  }
  /** Read with the first request, which loads the services. */
  get protocol(): Protocol {
    return this.#first.protocol;
  }
  get dialects(): readonly Dialect[] {
    this.#dialects ??= joinDialects(this.services.flatMap((service) => service.dialects ?? []));
    return this.#dialects;
  }
  /** Made on first use: a thousand routes take a tenth of a second, and most processes use few services. */
  *#makeRoutes(): Generator<void, Routes> {
    const router = Router({
      caseSensitive: !this.protocol.caseInsensitivePaths,
      ignoreTrailingSlash: true,
      maxParamLength: PARAMETER_LENGTH_MAX,
    });
    for (const service of this.services) {
      for (const operation of service.operations) {
        const compiled = new CompiledOperation(operation);
        for (const { path, forms } of routePathsOf(operation)) {
          const route: Route = { service, compiled, forms };
          router.on(operation.method, path, () => {}, route);
        }
        yield;
      }
      yield;
    }
    return router;
  }
  /** The first request waits for this; others are served in between. */
  ready(): Promise<void> | undefined {
    if (this.#routes) return undefined;
    this.#making ??= runInSteps(this.#makeRoutes()).then((routes) => {
      this.#routes = routes;
    });
    return this.#making;
  }
  find(method: string, path: string): Found | undefined {
    this.#routes ??= runAtOnce(this.#makeRoutes());
    const found = this.#routes.find(method as "GET", path === "" ? "/" : path);
    if (found) {
      const route = found.store as Route;
      return { route, params: declaredParams(route.compiled.operation, route.forms, found.params) };
    }
    if (method === "OPTIONS") return this.#findPreflight(path);
    return method === "HEAD" ? this.find("GET", path) : undefined;
  }
  #findPreflight(path: string): Found | undefined {
    for (const method of METHODS) {
      const { service, compiled } = this.find(method, path)?.route ?? {};
      if (!service || !compiled?.operation.crossOrigin) continue;
      this.#preflight ??= {
        service,
        compiled: new CompiledOperation(preflightOf(service.name)),
        forms: undefined,
      };
      return { route: this.#preflight, params: {} };
    }
    return undefined;
  }
  methodsAt(path: string): string[] {
    return METHODS.filter((method) => this.find(method, path));
  }
}

export class MountTable {
  readonly mounts: readonly Mount[];
  /** Mounts may begin with the same word (`/language/luis` and one below it): the longer path comes first. */
  readonly #byLabel = new Map<string, readonly Mount[]>();
  readonly #byRoot: { prefix: string; mount: Mount }[] = [];
  readonly #fallback: Mount;

  constructor(services: readonly Service[]) {
    this.mounts = [...groupByMount(services)].map(([path, group]) => new Mount(path, group));
    for (const mount of [...this.mounts].sort((a, b) => b.path.length - a.path.length)) {
      if (mount.label !== "") this.#byLabel.set(mount.label, [...this.#mountsOf(mount.label), mount]);
      for (const prefix of mount.rootPrefixes) this.#byRoot.push({ prefix: prefix.toLowerCase(), mount });
    }
    const fallback = this.mounts.find((mount) => mount.path === "");
    if (!fallback) throw new Error("nothing is mounted at /");
    this.#fallback = fallback;
  }
  locate(host: string, path: string): Located {
    return (
      this.#byHost(host, path) ??
      this.#byPath(path) ??
      this.#byRootPath(path) ?? { mount: this.#fallback, prefix: "", path }
    );
  }
  #byHost(host: string, path: string): Located | undefined {
    const dot = host.indexOf(".localhost");
    if (dot <= 0) return undefined;
    const names = host.slice(0, dot).toLowerCase();
    const mounts = this.#mountsOf(names);
    if (mounts.length === 0) return this.#byHostOfItsOwn(names, path);
    const mount = mounts.find(({ innerPrefix }) => isBelow(path, innerPrefix));
    return mount && { mount, prefix: mount.innerPrefix, path: path.slice(mount.innerPrefix.length) };
  }
  #mountsOf(label: string): readonly Mount[] {
    return this.#byLabel.get(label) ?? [];
  }
  #byHostOfItsOwn(names: string, path: string): Located | undefined {
    const [name, label, ...deeper] = names.split(".");
    const mount =
      label === undefined || deeper.length > 0
        ? undefined
        : this.#mountsOf(label).find(({ firstSegmentAsHost }) => firstSegmentAsHost);
    return mount ? { mount, prefix: "", path: `/${name}${path}` } : undefined;
  }
  #byPath(path: string): Located | undefined {
    const slash = path.indexOf("/", 1);
    const mount = this.#mountsOf(slash < 0 ? path.slice(1) : path.slice(1, slash)).find((one) =>
      isBelow(path, one.path),
    );
    return mount && { mount, prefix: mount.path, path: path.slice(mount.path.length) };
  }
  #byRootPath(path: string): Located | undefined {
    const lower = path.toLowerCase();
    const root = this.#byRoot.find(({ prefix }) => isBelow(lower, prefix));
    return (
      root && {
        mount: root.mount,
        prefix: root.mount.innerPrefix,
        path: path.slice(root.mount.innerPrefix.length),
      }
    );
  }
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/");

function groupByMount(services: readonly Service[]): Map<string, Service[]> {
  const groups = new Map<string, Service[]>();
  for (const service of services)
    for (const path of [service.mount, ...(service.alsoAt ?? [])])
      groups.set(path, [...(groups.get(path) ?? []), service]);
  return groups;
}
