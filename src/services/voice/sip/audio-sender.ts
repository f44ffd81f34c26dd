/** Sends audio as RTP in real time, one packet every 20 milliseconds. */
import { randomBytes } from "node:crypto";
import type { Address, DatagramSocket } from "./datagrams.ts";
import { nowMs, waitMs } from "./media-timer.ts";
import { encodeMuLaw } from "./mu-law.ts";
import { PACKET_MS, packetCount, rtpPacketAt } from "./rtp.ts";

/** After a longer stall of the process, the stream is delayed instead of sending a burst. */
const LATE_MS_MAX = 100;

/** Ends with the audio, or when `isOver` returns true. Returns the milliseconds sent. */
export async function sendAudio(
  socket: DatagramSocket,
  to: Address,
  audio: Int16Array,
  isOver: () => boolean,
): Promise<number> {
  const muLaw = encodeMuLaw(audio);
  const random = randomBytes(10);
  const stream = {
    sequenceFirst: random.readUInt16BE(0),
    timestampFirst: random.readUInt32BE(2),
    source: random.readUInt32BE(6),
  };
  const count = packetCount(muLaw);
  let dueMs = nowMs();
  for (let index = 0; index < count; index += 1) {
    if (isOver()) return index * PACKET_MS;
    socket.send(rtpPacketAt(stream, muLaw, index), to);
    dueMs = Math.max(dueMs, nowMs() - LATE_MS_MAX) + PACKET_MS;
    await waitMs(dueMs - nowMs());
  }
  return count * PACKET_MS;
}
