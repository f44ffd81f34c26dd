/** District standings, recomputed after a change of their input. */
import { districtRankingsOf } from "../domain/district-rankings.ts";
import type { TournamentType } from "../domain/game.ts";
import type { Standings } from "../standings-cache.ts";
import type { RoboticsContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { DistrictRow, SeasonRow } from "../tables.ts";

export async function standingsOf(
  { db, account, state }: RoboticsContext,
  { season, standings_modified: second }: SeasonRow,
  district: DistrictRow,
): Promise<Standings> {
  const key = `${account}/${season}/${district.code}`;
  const kept = state.standings.find(key, second);
  if (kept) return kept;
  const all = await store.listEvents(db, account, season);
  const events = all.filter((event) => event.district === district.code);
  const codes = events.map(({ code }) => code);
  const [rankings, alliances, awards, playoffs] = [
    await store.rankingsOfEvents(db, account, season, codes),
    await store.alliancesOfEvents(db, account, season, codes),
    await store.awardsOfEvents(db, account, season, codes),
    await store.listMatchesOfEvents(db, account, season, codes),
  ];
  const teams = (await store.listTeams(db, account, season))
    .filter((team) => team.district === district.code)
    .map(({ number, rookie_year, adjustment_points }) => ({
      teamNumber: number,
      rookieYear: rookie_year,
      adjustmentPoints: adjustment_points,
    }));
  const ranks = districtRankingsOf(
    season,
    district.code,
    teams,
    events.map(({ code, type, date_end }) => ({
      code,
      type: type as TournamentType,
      dateEnd: date_end ?? "",
      rankings: (rankings.get(code) ?? []).sort((a, b) => a.rank - b.rank),
      alliances: (alliances.get(code) ?? []).sort((a, b) => a.number - b.number),
      matches: playoffs.get(code) ?? [],
      awards: (awards.get(code) ?? []).flatMap(({ name, team }) =>
        team === null ? [] : [{ name, teamNumber: team }],
      ),
    })),
    { districtChampionship: district.district_places, championship: district.championship_places },
  );
  return state.standings.keep(key, second, ranks);
}
