/** Hands an event to a function's process, in the binary HTTP mode. */
import type { CloudEvent } from "../domain/index.ts";
import { headOf } from "./answer-head.ts";
import type { Instance } from "./instance.ts";
import { Busy, type InstancePool } from "./pool.ts";

const PLAIN = new Set(["data", "datacontenttype"]);
const HEAD_END = "\r\n\r\n";
/** Only the head is read. */
const HEAD_BYTES_MAX = 64 * 1024;
const LINE_BREAKS = /[\r\n]/g;
const PART_BYTES = 64 * 1024;

function headOfEvent(event: CloudEvent, body: Buffer): string {
  const type = (event.datacontenttype ?? "application/json").replaceAll(LINE_BREAKS, " ");
  const lines = ["POST", "/", "content-type", type, "content-length", String(body.length)];
  for (const [name, value] of Object.entries(event))
    if (!PLAIN.has(name) && value !== undefined) lines.push(`ce-${name}`, encodeURI(String(value)));
  return lines.join("\n");
}
const bodyOf = ({ data, datacontenttype = "application/json" }: CloudEvent): Buffer =>
  Buffer.from(
    typeof data === "string" && !datacontenttype.includes("json") ? data : JSON.stringify(data ?? null),
  );

/** The status; "ended" if the process ended first, "late" after the timeout. */
function statusOf(
  instance: Instance,
  event: CloudEvent,
  timeoutMs: number,
): Promise<number | "ended" | "late"> {
  const body = bodyOf(event);
  let answer = "";
  let sent = 0;
  return new Promise((resolve) => {
    const sendOn = (): void => {
      while (sent < body.length) {
        const part = body.subarray(sent, sent + PART_BYTES);
        sent += part.length;
        const isRoom = asked.send(part);
        if (sent >= body.length) asked.end();
        if (!isRoom) return;
      }
    };
    const end = (status: number | "ended" | "late"): void => {
      clearTimeout(timer);
      resolve(status);
    };
    const asked = instance.link.ask(headOfEvent(event, body), true, {
      take(bytes) {
        asked.taken(bytes.length);
        if (answer.length < HEAD_BYTES_MAX) answer += bytes.toString("latin1");
      },
      rest: () => {},
      end: () => end(headOf(answer.split(HEAD_END)[0] ?? "")?.status ?? "ended"),
      stop: () => end("ended"),
      mayGoOn: sendOn,
    });
    const timer = setTimeout(() => {
      asked.stop();
      end("late");
    }, timeoutMs);
    sendOn();
  });
}

/** The error, or undefined if the function accepted the event. */
export async function invokeForEvent(pool: InstancePool, event: CloudEvent): Promise<string | undefined> {
  const { timeoutSeconds = 60 } = pool.prepared.definition.serviceConfig;
  try {
    const instance = await pool.acquire();
    try {
      const status = await statusOf(instance, event, timeoutSeconds * 1000);
      if (typeof status === "number") return status < 300 ? undefined : `The function answered ${status}.`;
      if (!(await instance.isResponsive())) pool.remove(instance, "It did not answer an event.");
      return status === "late" ? "It took too long." : "It ended before it had answered.";
    } finally {
      pool.release(instance);
    }
  } catch (error) {
    return error instanceof Busy ? "No instance was free." : (error as Error).message;
  }
}
