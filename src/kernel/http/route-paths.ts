/** Converts declared paths for the router, and parameters of the router back to the declared ones. */
import type { Operation } from "../operation/operation.ts";

const LAST_PARAMETER = /\{(\w+)\}$/;
/** Separates the name of a parameter and the number of its segment. */
const NUMBER = "__";

type Declared = Pick<Operation, "path" | "restOfPath" | "segments">;
type Params = Readonly<Record<string, string | undefined>>;
/** For parameters with slashes: the form that each has on one route. */
type Forms = Readonly<Record<string, string>>;
export type RoutePath = { readonly path: string; readonly forms: Forms | undefined };

/** `{name}` becomes a parameter. Before a colon verb it must not match the colon. */
export function routerPath({ path, restOfPath }: Pick<Declared, "path" | "restOfPath">): string {
  const routed = restOfPath ? path.replace(LAST_PARAMETER, "*") : path;
  return routed
    .replace(/:(?=[A-Za-z])/g, "::")
    .replace(/\{(\w+)\}(?=::)/g, ":$1(^[^:/]+)")
    .replace(/\{(\w+)\}/g, ":$1");
}

const mapPlaces = (form: string, place: (index: number) => string): string =>
  form
    .split("{}")
    .map((text, index) => (index === 0 ? text : place(index - 1) + text))
    .join("");

/** One route for each combination of forms: `{name}` of the form `a/{}/b/{}` becomes two parameters. */
export function routePathsOf(operation: Declared): readonly RoutePath[] {
  const { restOfPath = false, segments } = operation;
  if (!segments) return [{ path: routerPath(operation), forms: undefined }];
  let found: readonly { path: string; forms: Forms }[] = [{ path: operation.path, forms: {} }];
  for (const [name, choices] of Object.entries(segments))
    found = found.flatMap(({ path, forms }) =>
      choices.map((form) => ({
        path: path.replace(
          `{${name}}`,
          mapPlaces(form, (index) => `{${name}${NUMBER}${index}}`),
        ),
        forms: { ...forms, [name]: form },
      })),
    );
  return found.map(({ path, forms }) => ({ path: routerPath({ path, restOfPath }), forms }));
}

/** The router names the rest of a path `*`, and splits a parameter with slashes into its segments. */
export function declaredParams(
  { path, restOfPath }: Declared,
  forms: Forms | undefined,
  params: Params,
): Params {
  if (forms)
    return Object.fromEntries(
      Object.entries(forms).map(([name, form]) => [
        name,
        mapPlaces(form, (index) => params[`${name}${NUMBER}${index}`] ?? ""),
      ]),
    );
  if (!restOfPath) return params;
  const { "*": rest, ...others } = params;
  return { ...others, [LAST_PARAMETER.exec(path)?.[1] ?? "*"]: rest };
}
