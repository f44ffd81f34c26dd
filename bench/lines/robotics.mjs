/** Robotics: a season's worth of events imported, a list of 100 matches read, and read again when nothing has changed. */
import { readFileSync } from "node:fs";
import { inTurns } from "../load.mjs";

const EVENTS = 1800;
const MATCHES = 111;
const LINES_TOGETHER = 60;
const basic = `Basic ${Buffer.from("first:first-password").toString("base64")}`;
const LIST = "/1992/matches/E0000?tournamentLevel=Qualification&start=1&end=100";

/** An event as the archive has it, without score details. */
function eventLine(at) {
  const teams = Array.from({ length: 40 }, (_, team) => 1 + ((at * 7 + team * 13) % 7000));
  const matches = Array.from({ length: MATCHES }, (_, match) => ({
    tournamentLevel: "Qualification",
    matchNumber: match + 1,
    teams: Array.from({ length: 6 }, (_, seat) => ({
      teamNumber: teams[(match * 6 + seat * 7) % teams.length],
      station: `${seat < 3 ? "Red" : "Blue"}${(seat % 3) + 1}`,
    })),
    scoreRedFinal: (match * 37) % 300,
    scoreBlueFinal: (match * 53) % 300,
  }));
  return JSON.stringify({
    kind: "event",
    season: 1992 + (at % 31),
    eventCode: `E${String(at).padStart(4, "0")}`,
    teams: [...new Set(teams)],
    matches,
  });
}
/** Time that a process has had on a processor, in seconds: what else the machine does is no part of it. */
function processorSeconds(pid) {
  const [, ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.join(") ").split(" ").slice(11, 13).map(Number);
  return (user + system) / 100;
}

export async function roboticsLines({ raw, product }) {
  const api = `${product.url}/robotics/v3.0`;
  const before = processorSeconds(product.pid);
  const begun = performance.now();
  for (let at = 0; at < EVENTS; at += LINES_TOGETHER) {
    const lines = Array.from({ length: LINES_TOGETHER }, (_, one) => eventLine(at + one));
    const response = await fetch(`${api}/import`, {
      method: "POST",
      headers: { authorization: basic },
      body: lines.join("\n"),
    });
    const { refusedLines } = await response.json();
    if (response.status !== 200 || refusedLines > 0)
      throw new Error(`the import was refused: ${response.status}`);
  }
  const seconds = (performance.now() - begun) / 1000;
  const worked = processorSeconds(product.pid) - before;

  const first = await fetch(`${api}${LIST}`, { headers: { authorization: basic } });
  const size = (await first.arrayBuffer()).byteLength;
  const seen = { authorization: basic, "if-modified-since": new Date(Date.now() + 86_400_000).toUTCString() };
  const url = `${api}${LIST}`;
  const { rawList, rawGet, list, unchanged } = await inTurns({
    rawList: [`${raw.url}/?bytes=${size}`],
    rawGet: [`${raw.url}/`],
    list: [url, { headers: { authorization: basic } }],
    unchanged: [url, { headers: seen, wanted: "3xx" }],
  });
  return [
    {
      line: `robotics: import of ${EVENTS} events with ${EVENTS * MATCHES} matches`,
      value: `${seconds.toFixed(1)} s, ${worked.toFixed(1)} s of a processor`,
      measured: seconds,
      atMost: 60,
    },
    {
      line: `robotics: list of 100 matches (${Math.round(size / 1024)} KB, raw: the same bytes)`,
      value: `${Math.round(list)}/s`,
      ratio: list / rawList,
      target: 0.45,
    },
    {
      line: "robotics: the same list, not modified (304)",
      value: `${Math.round(unchanged)}/s`,
      ratio: unchanged / rawGet,
      target: 0.6,
    },
  ];
}
