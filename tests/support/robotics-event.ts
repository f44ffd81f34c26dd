/** A small event that a test runs live: its teams, its schedule, and results by a fixed strength of every robot. */
import { expect } from "vitest";
import { accounts } from "./medley.ts";
import type { Robotics } from "./robotics.ts";

type Scheduled = { matchNumber: number; teams: { teamNumber: number; station: string }[] };

export class RoboticsEvent {
  readonly season: number;
  readonly code: string;
  readonly teams: readonly number[];
  readonly #robotics: Robotics;

  constructor(robotics: Robotics, { season = 2025, code = "LIVE", teams = 24 } = {}) {
    this.#robotics = robotics;
    this.season = season;
    this.code = code;
    this.teams = Array.from({ length: teams }, (_, index) => 201 + index * 3);
  }
  get livePath(): string {
    return `/robotics/live/${accounts.first.id}/${this.season}/${this.code}`;
  }
  async enter(name = "Harbour Invitational"): Promise<void> {
    await this.#robotics.put(`/${this.season}/events/${this.code}`, { name, type: "OffSeason" });
    await this.#robotics.put(`/${this.season}/events/${this.code}/teams`, { teams: this.teams });
  }
  async generate(level: string, wishes: object): Promise<{ matchesEntered: number; figures: any }> {
    const sent = await this.#robotics.send(
      "PUT",
      `/${this.season}/schedule/${this.code}/${level}/generated`,
      { body: wishes },
    );
    expect(sent.status, sent.text).toBe(200);
    return sent.body;
  }
  async schedule(level: string): Promise<Scheduled[]> {
    const path = `/${this.season}/schedule/${this.code}?tournamentLevel=${level}`;
    return (await this.#robotics.get(path)).body.Schedule;
  }
  /** The alliance with the lower numbers wins, as if those robots were the stronger ones. */
  async play(level: string, { matchNumber, teams }: Scheduled): Promise<void> {
    const weakness = (colour: string) =>
      teams
        .filter(({ station }) => station.startsWith(colour))
        .reduce((sum, team) => sum + team.teamNumber, 0);
    const points = (colour: string) => 2000 - weakness(colour);
    await this.enterResult(
      level,
      matchNumber,
      points("Red"),
      points("Blue") + (points("Red") === points("Blue") ? 1 : 0),
    );
  }
  enterResult(level: string, matchNumber: number, red: number, blue: number): Promise<void> {
    return this.#robotics.put(`/${this.season}/matches/${this.code}/${level}/${matchNumber}`, {
      scoreRedFinal: red,
      scoreBlueFinal: blue,
    });
  }
  /** The first eight choose from above, then from below. */
  async chooseAlliances(): Promise<void> {
    const { Rankings } = (await this.#robotics.get(`/${this.season}/rankings/${this.code}`)).body;
    const teams = (Rankings as { teamNumber: number }[]).map(({ teamNumber }) => teamNumber);
    for (let number = 1; number <= 8; number += 1)
      await this.#robotics.put(`/${this.season}/alliances/${this.code}/${number}`, {
        captain: teams[number - 1],
        round1: teams[number + 7],
        round2: teams[24 - number],
      });
  }
  /** Puts what comes next on the schedule and plays it; answers how many matches that were. */
  async playNext(): Promise<number> {
    const { matchesEntered } = await this.generate("Playoff", {});
    const matches = await this.schedule("Playoff");
    for (const match of matches.slice(matches.length - matchesEntered)) await this.play("Playoff", match);
    return matchesEntered;
  }
}
