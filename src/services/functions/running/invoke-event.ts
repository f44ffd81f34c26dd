/** Hands an event to a function's process, in the binary HTTP mode. */
import type { CloudEvent } from "../domain/index.ts";
import { Busy, type InstancePool } from "./pool.ts";

const PLAIN = new Set(["data", "datacontenttype"]);

function headersOf(event: CloudEvent): Record<string, string> {
  const headers: Record<string, string> = { "content-type": event.datacontenttype ?? "application/json" };
  for (const [name, value] of Object.entries(event))
    if (!PLAIN.has(name) && value !== undefined) headers[`ce-${name}`] = encodeURI(String(value));
  return headers;
}
const bodyOf = ({ data, datacontenttype = "application/json" }: CloudEvent): string =>
  typeof data === "string" && !datacontenttype.includes("json") ? data : JSON.stringify(data ?? null);

/** What went wrong; undefined when the function took it. */
export async function invokeForEvent(pool: InstancePool, event: CloudEvent): Promise<string | undefined> {
  const { timeoutSeconds = 60 } = pool.prepared.definition.serviceConfig;
  try {
    const instance = await pool.acquire();
    try {
      const { statusCode, body } = await instance.connections.request({
        path: "/",
        method: "POST",
        headers: headersOf(event),
        body: bodyOf(event),
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      });
      await body.dump();
      return statusCode < 300 ? undefined : `The function answered ${statusCode}.`;
    } catch (error) {
      if (!(await instance.isResponsive())) pool.remove(instance, "It did not answer an event.");
      return (error as Error).name === "TimeoutError"
        ? "It took too long."
        : "It ended before it had answered.";
    } finally {
      pool.release(instance);
    }
  } catch (error) {
    return error instanceof Busy ? "No instance was free." : (error as Error).message;
  }
}
