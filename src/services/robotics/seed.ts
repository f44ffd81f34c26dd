/** Demo data: a simulated season. Seeding is idempotent. */
import { pictureOf } from "./domain/picture.ts";
import { SIMULATED_DISTRICT, SIMULATED_SEASON, simulatedSeason } from "./domain/simulated-season.ts";
import type { RoboticsContext } from "./state.ts";
import * as store from "./store/index.ts";

export async function seed({ db, account, clock }: RoboticsContext): Promise<void> {
  const season = SIMULATED_SEASON;
  const { teams, events } = simulatedSeason();
  await store.entering(db, account, clock.nowMs(), async (ledger) => {
    await store.enterSeason(db, account, ledger, season, {
      frcChampionships: [
        { name: "World Championship", startDate: "2024-04-17T00:00:00", location: "Houston, TX, USA" },
      ],
    });
    await store.enterDistricts(db, account, ledger, season, [
      {
        code: SIMULATED_DISTRICT,
        name: "Medley District",
        districtChampionshipPlaces: 24,
        championshipPlaces: 8,
      },
    ]);
    await store.enterTeams(
      db,
      account,
      ledger,
      season,
      teams.map((team) => ({ ...team, encodedAvatar: pictureOf(team.teamNumber) })),
    );
    for (const document of events) await store.enterDocument(db, account, ledger, season, document);
  });
}
