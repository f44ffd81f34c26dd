/** RTP packets of PCMU audio, 20 milliseconds each. */
import { MU_LAW_SILENCE } from "./mu-law.ts";

export const PACKET_MS = 20;
export const SAMPLES_PER_PACKET = 160;
export const PAYLOAD_TYPE_PCMU = 0;

const VERSION = 2;
const HEADER_BYTES = 12;

export type RtpStream = {
  sequenceFirst: number;
  timestampFirst: number;
  /** Synchronization source (SSRC). */
  source: number;
};

export type RtpPacket = {
  payloadType: number;
  isMarked: boolean;
  sequence: number;
  timestamp: number;
  source: number;
  payload: Buffer;
};

export function packetCount(muLaw: Uint8Array): number {
  return Math.ceil(muLaw.length / SAMPLES_PER_PACKET);
}

/** The packet at an index. The last packet is padded with silence. */
export function rtpPacketAt(stream: RtpStream, muLaw: Uint8Array, index: number): Buffer {
  const packet = Buffer.alloc(HEADER_BYTES + SAMPLES_PER_PACKET, MU_LAW_SILENCE);
  packet.writeUInt8(VERSION << 6, 0);
  packet.writeUInt8((index === 0 ? 0x80 : 0) | PAYLOAD_TYPE_PCMU, 1);
  packet.writeUInt16BE((stream.sequenceFirst + index) & 0xffff, 2);
  packet.writeUInt32BE((stream.timestampFirst + index * SAMPLES_PER_PACKET) >>> 0, 4);
  packet.writeUInt32BE(stream.source >>> 0, 8);
  packet.set(muLaw.subarray(index * SAMPLES_PER_PACKET, (index + 1) * SAMPLES_PER_PACKET), HEADER_BYTES);
  return packet;
}

/** Undefined if the bytes are no plain RTP packet. */
export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt8(0) >> 6 !== VERSION) return undefined;
  const contributors = bytes.readUInt8(0) & 0x0f;
  const start = HEADER_BYTES + contributors * 4;
  if (bytes.length < start) return undefined;
  const second = bytes.readUInt8(1);
  return {
    payloadType: second & 0x7f,
    isMarked: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    source: bytes.readUInt32BE(8),
    payload: bytes.subarray(start),
  };
}
