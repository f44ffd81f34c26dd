/** Operations as the OpenAPI document of their service describes them. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { call, session, whoIn } from "../../api.ts";
import { asProblem, isAbsent, type Loaded, useReturn } from "../../loading.ts";
import type { Described, Schema, ServiceDocument } from "./described.ts";

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
};

const known = new Map<string, Promise<ServiceDocument>>();

async function load(service: string, account: string | undefined): Promise<ServiceDocument> {
  const document = (await call("medley.openapi-of-service", {
    params: { service },
    query: { ...(account !== undefined && { account }) },
  })) as Document;
  const callables = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : resolve(document.components?.schemas?.[name] ?? {});
  };
  return { callables, resolve };
}

/** Kept once it was loaded, with examples for whoever is signed in: it does not change while the server runs. */
export function useDocument(service: string | undefined): Loaded<ServiceDocument> {
  const [found, setFound] = useState<{ service: string } & Partial<Loaded<ServiceDocument>>>();
  const [turn, setTurn] = useState(0);
  // The turn asks again.
  useEffect(() => {
    if (service === undefined) return undefined;
    let isWanted = true;
    const account = whoIn(session.value)?.account;
    const key = `${account} ${service}`;
    const asked = known.get(key) ?? load(service, account);
    known.set(key, asked);
    asked.then(
      (data) => isWanted && setFound({ service, data }),
      (error) => {
        known.delete(key);
        if (isWanted) setFound({ service, problem: asProblem(error) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [service, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const { data, problem } = found?.service === service ? { ...found } : {};
  useReturn(isAbsent(problem), reload);
  return { data, problem, reload };
}
