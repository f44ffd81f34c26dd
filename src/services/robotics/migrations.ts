/** Forward migrations. A released migration never changes. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

const inSeason = { account: "text", season: "integer" } as const;
const atEvent = { ...inSeason, event: "text" } as const;

export const migrations: Readonly<Record<string, Migration>> = {
  "001-seasons": {
    async up(db) {
      await createTable(
        db,
        "robotics_season",
        {
          ...inSeason,
          game_name: "text",
          kickoff: "text",
          rookie_start: "integer",
          championships: "text?",
          summary_modified: "integer",
          events_modified: "integer",
          teams_modified: "integer",
          avatars_modified: "integer",
          districts_modified: "integer",
          award_list_modified: "integer",
          awards_modified: "integer",
          standings_modified: "integer",
        },
        ["account", "season"],
      );
      await createTable(
        db,
        "robotics_district",
        {
          ...inSeason,
          code: "text",
          name: "text",
          district_places: "integer",
          championship_places: "integer",
          modified: "integer",
        },
        ["account", "season", "code"],
      );
      await createTable(
        db,
        "robotics_event",
        {
          ...inSeason,
          code: "text",
          number: "integer",
          name: "text",
          type: "text",
          district: "text?",
          division: "text?",
          venue: "text",
          address: "text",
          city: "text",
          stateprov: "text",
          country: "text",
          timezone: "text",
          website: "text",
          webcasts: "text",
          date_start: "text?",
          date_end: "text?",
          modified: "integer",
          teams_modified: "integer",
          schedule_modified: "integer",
          results_modified: "integer",
          rankings_modified: "integer",
          alliances_modified: "integer",
          awards_modified: "integer",
        },
        ["account", "season", "code"],
      );
    },
  },
  "002-teams": {
    async up(db) {
      await createTable(
        db,
        "robotics_team",
        {
          ...inSeason,
          number: "integer",
          label: "text?",
          from_register: "integer",
          name_short: "text",
          name_full: "text",
          school: "text",
          city: "text",
          stateprov: "text",
          country: "text",
          website: "text",
          rookie_year: "integer",
          robot_name: "text",
          district: "text?",
          home_championship: "text?",
          adjustment_points: "integer",
          modified: "integer",
        },
        ["account", "season", "number"],
      );
      await createIndex(db, "robotics_team", "by_number", ["account", "number"]);
      await createTable(
        db,
        "robotics_avatar",
        { ...inSeason, number: "integer", avatar: "text?", modified: "integer" },
        ["account", "season", "number"],
      );
      await createTable(db, "robotics_event_team", { ...atEvent, team: "integer" }, [
        "account",
        "season",
        "event",
        "team",
      ]);
      await createIndex(db, "robotics_event_team", "by_team", ["account", "season", "team"]);
    },
  },
  "003-events": {
    async up(db) {
      await createTable(
        db,
        "robotics_match",
        {
          ...atEvent,
          level: "text",
          number: "integer",
          description: "text",
          playoff_round: "text?",
          playoff_set: "integer?",
          playoff_game: "integer?",
          start_time: "text?",
          actual_start_time: "text?",
          post_result_time: "text?",
          video: "text?",
          teams: "text",
          red_final: "integer?",
          red_foul: "integer?",
          red_auto: "integer?",
          blue_final: "integer?",
          blue_foul: "integer?",
          blue_auto: "integer?",
          details: "text?",
          schedule_modified: "integer",
          result_modified: "integer",
        },
        ["account", "season", "event", "level", "number"],
      );
      await createTable(
        db,
        "robotics_ranking",
        { ...atEvent, team: "integer", rank: "integer", ranking: "text", modified: "integer" },
        ["account", "season", "event", "team"],
      );
      await createTable(
        db,
        "robotics_alliance",
        { ...atEvent, number: "integer", alliance: "text", modified: "integer" },
        ["account", "season", "event", "number"],
      );
      await createTable(
        db,
        "robotics_award",
        {
          ...atEvent,
          award: "integer",
          series: "integer",
          name: "text",
          team: "integer?",
          person: "text?",
          modified: "integer",
        },
        ["account", "season", "event", "award", "series"],
      );
      await createIndex(db, "robotics_award", "by_team", ["account", "season", "team"]);
      await createTable(
        db,
        "robotics_award_kind",
        {
          ...inSeason,
          award: "integer",
          event_type: "text",
          description: "text",
          for_person: "integer",
          modified: "integer",
        },
        ["account", "season", "award", "event_type"],
      );
    },
  },
  "004-published-rankings": {
    async up(db) {
      await db.schema
        .alterTable("robotics_event")
        .addColumn("rankings_published", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  "005-removals": {
    async up(db) {
      await createTable(
        db,
        "robotics_removal",
        {
          ...inSeason,
          number: "integer",
          kind: "text",
          name: "text",
          second: "integer",
          removed_by: "text",
          removed_at: "integer",
        },
        ["account", "season", "number"],
      );
    },
  },
};
