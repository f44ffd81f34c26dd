/** Session description: offers one PCMU audio stream, and reads the peer's media address. */
import { isIPv6 } from "node:net";
import { PACKET_MS, PAYLOAD_TYPE_PCMU } from "./rtp.ts";

export type MediaAddress = {
  host: string;
  port: number;
};

const ANSWER_LENGTH_MAX = 8192;

export function writeOffer(local: MediaAddress, sessionId: number): string {
  const family = isIPv6(local.host) ? "IP6" : "IP4";
  return [
    "v=0",
    `o=medley ${sessionId} ${sessionId} IN ${family} ${local.host}`,
    "s=voice message",
    `c=IN ${family} ${local.host}`,
    "t=0 0",
    `m=audio ${local.port} RTP/AVP ${PAYLOAD_TYPE_PCMU}`,
    `a=rtpmap:${PAYLOAD_TYPE_PCMU} PCMU/8000`,
    `a=ptime:${PACKET_MS}`,
    "a=sendrecv",
    "",
  ].join("\r\n");
}

/** Undefined if the answer has no PCMU audio with a plain address. */
export function findMediaAddress(answer: string): MediaAddress | undefined {
  const [session = "", ...media] = answer.slice(0, ANSWER_LENGTH_MAX).split(/^(?=m=)/m);
  const audio = media.find((section) => section.startsWith("m=audio "));
  const match = /^m=audio (\d{1,5})(?:\/\d{1,5})? RTP\/AVPF? ([\d ]{1,200})$/m.exec(audio ?? "");
  const host = findConnection(audio ?? "") ?? findConnection(session);
  if (match === null || host === undefined) return undefined;
  const port = Number(match[1]);
  const isPcmu = (match[2] ?? "").split(" ").includes(String(PAYLOAD_TYPE_PCMU));
  return isPcmu && port > 0 && port <= 65_535 ? { host, port } : undefined;
}

function findConnection(section: string): string | undefined {
  return /^c=IN IP[46] ([0-9A-Fa-f.:]{2,45})(?:\/\d+)*\s*$/m.exec(section)?.[1];
}
