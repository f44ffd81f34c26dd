/** The public archive of competitions: what is answered after an import, held against the archive's own rows. */
import { readFileSync } from "node:fs";
import { csvLinesOf } from "../../dist/services/robotics/domain/csv.js";
import { sourcesAt } from "../../dist/services/robotics/import/sources.js";
import { share, withServer } from "./support.mjs";

const SENT_TOGETHER = 200;
/** A robot with a letter has another number here. */
const teamOf = (key) => (/[A-Z]$/i.test(key) ? "lettered" : Number(key.replace(/^frc/i, "")));
const rowsOf = (file) => (file ? csvLinesOf(readFileSync(file, "utf8")).map(({ fields }) => fields) : []);

/** Results by what the archive calls the match; of a match that was replayed the last counts. */
const resultsIn = (rows) =>
  new Map(
    rows
      .filter((row) => row.slice(-2).every((score) => /^\d+$/.test(score)))
      .map((row) => [row[0].split("_").at(-1), row.slice(-2).join("-")]),
  );
function rankingIn([head = [], ...rows]) {
  const at = (pattern) => head.findIndex((title) => pattern.test(title));
  const [record, wins] = [at(/record|w-?l-?t/i), at(/^wins$/i)];
  const seen = new Set();
  return rows
    .filter(([rank, team]) => /^\d+$/.test(rank) && teamOf(team) && !seen.has(team) && seen.add(team))
    .map((row) => [
      Number(row[0]),
      teamOf(row[1]),
      record >= 0
        ? row[record].replaceAll(/[()]/g, "")
        : wins >= 0
          ? row.slice(wins, wins + 3).join("-")
          : "",
    ]);
}

export async function figures(folder) {
  const { sources } = await sourcesAt(folder);
  return withServer(["robotics"], async (medley) => {
    const [{ username, password }] = medley.credentials.accounts[0].basic;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    const ask = async (path, init = {}) => {
      const response = await fetch(`${medley.url}/robotics/v3.0${path}`, {
        ...init,
        headers: { authorization, ...init.headers },
      });
      return { status: response.status, body: response.ok ? await response.json() : undefined };
    };
    const counts = { files: sources.length, findings: 0, refused: 0, failures: 0 };
    const lines = [];
    const send = async () => {
      const body = lines.splice(0).join("\n");
      const { status, body: told } = await ask("/import", { method: "POST", body });
      if (status !== 200) counts.failures += 1;
      else counts.refused += told.refusedLines + told.refusedEntries;
    };
    for (const source of sources) {
      const { value, findings } = await source.read();
      counts.findings += findings.length;
      lines.push(...value.map((line) => JSON.stringify(line)));
      if (lines.length >= SENT_TOGETHER) await send();
    }
    await send();
    return { ...counts, ...(await compare(sources, ask)) };
  });
}

async function compare(sources, ask) {
  const found = { events: [0, 0], matches: [0, 0], rankings: [0, 0], alliances: [0, 0], awards: [0, 0] };
  const add = (part, isEqual, name) => {
    found[part][0] += isEqual ? 1 : 0;
    found[part][1] += 1;
    if (!isEqual) console.error(`differs: ${name} ${part}`);
  };
  for (const { name, files } of sources.filter((source) => source.files)) {
    const [season, code] = [name.slice(0, 4), name.slice(4).toUpperCase()];
    const at = `/${season}/`;
    add("events", (await ask(`${at}events?eventCode=${code}`)).body?.eventCount === 1, name);
    if (files.has("matches")) {
      const wanted = [...resultsIn(rowsOf(files.get("matches"))).values()].toSorted();
      const { Matches = [] } = (await ask(`${at}matches/${code}`)).body ?? {};
      const got = Matches.map((match) => `${match.scoreRedFinal}-${match.scoreBlueFinal}`).toSorted();
      add("matches", wanted.join() === got.join(), name);
    }
    if (files.has("rankings")) {
      const wanted = rankingIn(rowsOf(files.get("rankings")));
      const { Rankings = [] } = (await ask(`${at}rankings/${code}`)).body ?? {};
      const got = Rankings.map(({ rank, teamNumber, wins, losses, ties }, place) => [
        rank,
        wanted[place]?.[1] === "lettered" ? "lettered" : teamNumber,
        wanted[place]?.[2] === "" ? "" : `${wins}-${losses}-${ties}`,
      ]);
      if (wanted.length > 0) add("rankings", JSON.stringify(wanted) === JSON.stringify(got), name);
    }
    if (files.has("alliances")) {
      const wanted = rowsOf(files.get("alliances")).filter((row) => row.some((key) => key !== ""));
      const { Alliances = [] } = (await ask(`${at}alliances/${code}`)).body ?? {};
      add("alliances", wanted.length === Alliances.length, name);
    }
    if (files.has("awards")) {
      const wanted = rowsOf(files.get("awards")).map((row) => row[1]);
      const { Awards = [] } = (await ask(`${at}awards/event/${code}`)).body ?? {};
      const got = Awards.map((award) => award.name);
      add("awards", wanted.toSorted().join() === got.toSorted().join(), name);
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([part, [right, all]]) => [`${part} equal`, share(right, all)]),
  );
}
