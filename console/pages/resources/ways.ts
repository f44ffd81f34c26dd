/** How a resource is tagged and deleted: by its service's own operations, found in the document by their address. */
import { call, Problem } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";
import { mountOf } from "../../services.ts";
import type { Callable, ServiceDocument } from "../try/document.ts";

type Resource = Answers["medley.resources.one"];
export type Ways = {
  readonly saveTags: ((tags: Readonly<Record<string, string>>) => Promise<unknown>) | undefined;
  readonly remove: (() => Promise<unknown>) | undefined;
};

const REFUSED_FROM = 400;

function matches({ path }: Callable, wanted: string): boolean {
  const segments = path.split("/");
  const given = wanted.split("/");
  return (
    segments.length === given.length &&
    segments.every(
      (segment, at) => segment.startsWith("{") || segment.toLowerCase() === given[at]?.toLowerCase(),
    )
  );
}

/** As an operation wants it: what it needs in its query is filled in with the documented example. */
async function ask({ method, operation }: Callable, path: string, body?: unknown): Promise<void> {
  const needed = (operation.parameters ?? []).filter((one) => one.in === "query" && one.required);
  const query = new URLSearchParams(
    needed.map(({ name, example }) => [name, String(example ?? "")]),
  ).toString();
  const { status, answer } = await call("medley.try", {
    body: {
      method,
      path: encodeURI(path) + (query === "" ? "" : `?${query}`),
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    },
  });
  if (status >= REFUSED_FROM)
    throw new Problem(status, "Refused", `The service refused it with ${status}: ${answer.body ?? ""}`);
}

function outsideWays({ arn, type, name, region, details = {} }: Resource): Ways {
  return {
    saveTags: (tags) => call("medley.resources.put", { body: { arn, type, name, region, details, tags } }),
    remove: () => call("medley.resources.remove", { query: { arn } }),
  };
}

/** Nothing where the service goes by other names than addresses: then its own operations are the way. */
export function waysOf(resource: Resource, document: ServiceDocument | undefined): Ways {
  if (resource.external) return outsideWays(resource);
  const path = mountOf(resource.service) + (resource.nativeId ?? "");
  const find = (method: string) =>
    resource.nativeId?.startsWith("/")
      ? document?.callables.find((one) => one.method === method && matches(one, path))
      : undefined;
  const patch = find("PATCH");
  const remove = find("DELETE");
  return {
    saveTags: patch && ((tags) => ask(patch, path, { tags })),
    remove: remove && (() => ask(remove, path)),
  };
}
