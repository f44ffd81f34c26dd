/** Row types of this service. `*_modified` columns are seconds of the last change. They always increase. */
export type SeasonRow = {
  account: string;
  season: number;
  game_name: string;
  kickoff: string;
  /** 0 if it is derived from the season's teams. */
  rookie_start: number;
  /** JSON list; null if it is derived from the season's championship events. */
  championships: string | null;
  summary_modified: number;
  events_modified: number;
  teams_modified: number;
  avatars_modified: number;
  districts_modified: number;
  award_list_modified: number;
  awards_modified: number;
  standings_modified: number;
};
export type DistrictRow = {
  account: string;
  season: number;
  code: string;
  name: string;
  district_places: number;
  championship_places: number;
  modified: number;
};
export type EventRow = {
  account: string;
  season: number;
  /** Upper case. */
  code: string;
  number: number;
  name: string;
  type: string;
  district: string | null;
  division: string | null;
  venue: string;
  address: string;
  city: string;
  stateprov: string;
  country: string;
  timezone: string;
  website: string;
  webcasts: string;
  date_start: string | null;
  date_end: string | null;
  modified: number;
  teams_modified: number;
  schedule_modified: number;
  results_modified: number;
  /** 1 if the ranking was published, 0 if it is computed. */
  rankings_published: number;
  rankings_modified: number;
  alliances_modified: number;
  awards_modified: number;
};
/** Season 0 is the register. Seasons copy missing team data from it. */
export type TeamRow = {
  account: string;
  season: number;
  number: number;
  /** `254B` if the number was assigned to a robot with a letter. */
  label: string | null;
  /** 1 if the row follows changes of the register. */
  from_register: number;
  name_short: string;
  name_full: string;
  school: string;
  city: string;
  stateprov: string;
  country: string;
  website: string;
  rookie_year: number;
  robot_name: string;
  district: string | null;
  home_championship: string | null;
  adjustment_points: number;
  modified: number;
};
export type AvatarRow = {
  account: string;
  season: number;
  number: number;
  avatar: string | null;
  modified: number;
};
export type EventTeamRow = { account: string; season: number; event: string; team: number };
export type MatchRow = {
  account: string;
  season: number;
  event: string;
  level: string;
  number: number;
  description: string;
  playoff_round: string | null;
  playoff_set: number | null;
  playoff_game: number | null;
  start_time: string | null;
  actual_start_time: string | null;
  post_result_time: string | null;
  video: string | null;
  teams: string;
  red_final: number | null;
  red_foul: number | null;
  red_auto: number | null;
  blue_final: number | null;
  blue_foul: number | null;
  blue_auto: number | null;
  /** Score details of the season, as JSON. */
  details: string | null;
  schedule_modified: number;
  result_modified: number;
};
export type RankingRowStored = {
  account: string;
  season: number;
  event: string;
  team: number;
  rank: number;
  /** JSON, as in the answer. */
  ranking: string;
  modified: number;
};
export type AllianceRow = {
  account: string;
  season: number;
  event: string;
  number: number;
  alliance: string;
  modified: number;
};
export type AwardRow = {
  account: string;
  season: number;
  event: string;
  award: number;
  series: number;
  name: string;
  team: number | null;
  person: string | null;
  modified: number;
};
export type AwardKindRow = {
  account: string;
  season: number;
  award: number;
  event_type: string;
  description: string;
  for_person: number;
  modified: number;
};

/** A record of a removal. */
export type RemovalRow = {
  account: string;
  season: number;
  number: number;
  kind: string;
  name: string;
  /** Second of the last change of the removed record. A new record of that name gets later seconds. */
  second: number;
  removed_by: string;
  /** Milliseconds. */
  removed_at: number;
};

export type Tables = {
  robotics_season: SeasonRow;
  robotics_district: DistrictRow;
  robotics_event: EventRow;
  robotics_team: TeamRow;
  robotics_avatar: AvatarRow;
  robotics_event_team: EventTeamRow;
  robotics_match: MatchRow;
  robotics_ranking: RankingRowStored;
  robotics_alliance: AllianceRow;
  robotics_award: AwardRow;
  robotics_award_kind: AwardKindRow;
  robotics_removal: RemovalRow;
};
export const tables: readonly (keyof Tables)[] = [
  "robotics_season",
  "robotics_district",
  "robotics_event",
  "robotics_team",
  "robotics_avatar",
  "robotics_event_team",
  "robotics_match",
  "robotics_ranking",
  "robotics_alliance",
  "robotics_award",
  "robotics_award_kind",
  "robotics_removal",
];
