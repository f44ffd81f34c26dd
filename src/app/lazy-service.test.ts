/** Services that are loaded on first use are told from loaded ones by nobody. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Service } from "#kernel/operation";
import { lazyService, outlineOf } from "./lazy-service.ts";
import { loadServices, serviceTable } from "./services.ts";

const names = serviceTable.map(({ name }) => name);
let services: readonly Service[];
beforeAll(async () => {
  services = await loadServices();
});

/** As in the bundle: the outline has been JSON. */
function lazy(name: string) {
  const service = services.find((one) => one.name === name) as Service;
  let loads = 0;
  const outline = JSON.parse(JSON.stringify(outlineOf(service)));
  const made = lazyService(outline, () => {
    loads += 1;
    return service;
  });
  return { service, made, loads: () => loads };
}

describe.each(names)("%s", (name) => {
  it("is not loaded for what a start asks", () => {
    const { made, loads } = lazy(name);
    const { mount, title, tables, rootPaths, firstSegmentAsHost, gateway, startsEarly, needs } = made;
    const asked = [
      mount,
      title,
      tables,
      rootPaths,
      firstSegmentAsHost,
      startsEarly,
      needs,
      made.protocol.name,
    ];
    const named = [
      gateway?.path,
      gateway?.hostLabel,
      made.operationCount,
      Object.keys(made.migrations ?? {}),
    ];
    const jobs = made.jobs?.map((job) => [job.name, job.repeat, job.housekeeping, job.transaction]);
    const ports = made.provides?.map(({ port }) => port.name);
    const admin = made.adminOperations?.map(({ id, method, path, segments }) => [id, method, path, segments]);
    expect([asked, named, jobs, ports, admin]).toBeDefined();
    expect(loads()).toBe(0);
  });
  it("has every member of the service, and loads it once", () => {
    const { service, made, loads } = lazy(name);
    const { protocol, gateway, jobs, migrations, provides, ...rest } = service;
    for (const [member, value] of Object.entries(rest))
      expect([member, made[member as keyof Service]]).toEqual([member, value]);
    expect(made.operations).toBe(service.operations);
    expect({ ...made.protocol }).toEqual({ ...protocol });
    expect({ ...made.gateway }).toEqual({ ...gateway });
    expect(made.jobs?.map((job) => ({ ...job }))).toEqual(jobs?.map((job) => ({ ...job })));
    expect(Object.entries(made.migrations ?? {}).map(([one, { up }]) => [one, up])).toEqual(
      Object.entries(migrations ?? {}).map(([one, { up }]) => [one, up]),
    );
    expect(made.provides?.map(({ port, implement }) => [port.name, implement])).toEqual(
      provides?.map(({ port, implement }) => [port.name, implement]),
    );
    expect(made.operationCount).toBe(service.operations.length);
    expect(loads()).toBe(1);
  });
});
