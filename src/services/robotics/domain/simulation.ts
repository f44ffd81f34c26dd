/** Simulates matches of the 2024 game from robot strengths and random numbers. */

export type Random = () => number;
/** Deterministic for a seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}

/** Each from 0 to 1. */
export type Strength = { readonly scoring: number; readonly climbing: number };

const POINTS = {
  leave: 2,
  autoAmp: 2,
  autoSpeaker: 5,
  amp: 1,
  speaker: 2,
  amplified: 5,
  park: 1,
  onStage: 3,
  spotLight: 1,
  harmony: 2,
  trap: 5,
  foul: 2,
  techFoul: 5,
};
const MELODY = 18;
const MELODY_WITH_COOPERATION = 15;
const ENSEMBLE_POINTS = 10;
const ENSEMBLE_ROBOTS = 2;
const STAGES = ["StageLeft", "CenterStage", "StageRight"] as const;

type Side = {
  readonly leaves: readonly boolean[];
  readonly endGame: readonly string[];
  readonly counts: Readonly<
    Record<"autoAmp" | "autoSpeaker" | "amp" | "speaker" | "amplified" | "traps", number>
  >;
  readonly fouls: number;
  readonly techFouls: number;
  readonly cooperates: boolean;
};

/** Number of successful tries. */
function successes(tries: number, chance: number, random: Random): number {
  let count = 0;
  for (let at = 0; at < tries; at += 1) if (random() < chance) count += 1;
  return count;
}

function endGameOf({ climbing }: Strength, random: Random): string {
  const drawn = random();
  if (drawn < climbing * 0.8) return STAGES[Math.floor(random() * STAGES.length)] ?? "CenterStage";
  return drawn < 0.4 + climbing / 2 ? "Parked" : "None";
}

function playedSide(robots: readonly Strength[], random: Random): Side {
  const total = (tries: number, scale: number): number =>
    robots.reduce((sum, { scoring }) => sum + successes(tries, scoring * scale, random), 0);
  return {
    leaves: robots.map(({ scoring }) => random() < 0.5 + scoring / 2),
    endGame: robots.map((robot) => endGameOf(robot, random)),
    counts: {
      autoAmp: total(1, 0.2),
      autoSpeaker: total(3, 0.7),
      amp: total(4, 0.6),
      speaker: total(6, 0.7),
      amplified: total(4, 0.6),
      traps: successes(3, (robots[0]?.climbing ?? 0) * 0.3, random),
    },
    fouls: successes(4, 0.2, random),
    techFouls: successes(2, 0.1, random),
    cooperates: random() < 0.5,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function stageOf({ endGame, counts }: Side, lit: readonly boolean[]) {
  const onStage = endGame.filter((place) => STAGES.some((stage) => stage === place));
  const harmonies = sum(
    STAGES.map((stage) => Math.max(0, onStage.filter((place) => place === stage).length - 1)),
  );
  const lights = sum(
    STAGES.map((stage, at) => (lit[at] ? onStage.filter((place) => place === stage).length : 0)),
  );
  const parts = {
    endGameParkPoints: endGame.filter((place) => place === "Parked").length * POINTS.park,
    endGameOnStagePoints: onStage.length * POINTS.onStage,
    endGameSpotLightBonusPoints: lights * POINTS.spotLight,
    endGameHarmonyPoints: harmonies * POINTS.harmony,
    endGameNoteInTrapPoints: counts.traps * POINTS.trap,
  };
  return { robots: onStage.length, parts, points: sum(Object.values(parts)) };
}

/** Score details of an alliance, and the values that decide the match. */
export function scoredSide(side: Side, other: Side, isCooperation: boolean, random: Random) {
  const { counts } = side;
  const lit = STAGES.map(() => random() < 0.2);
  const stage = stageOf(side, lit);
  const auto = {
    autoAmpNotePoints: counts.autoAmp * POINTS.autoAmp,
    autoSpeakerNotePoints: counts.autoSpeaker * POINTS.autoSpeaker,
  };
  const teleop = {
    teleopAmpNotePoints: counts.amp * POINTS.amp,
    teleopSpeakerNotePoints: counts.speaker * POINTS.speaker,
    teleopSpeakerNoteAmplifiedPoints: counts.amplified * POINTS.amplified,
  };
  const leave = side.leaves.filter(Boolean).length * POINTS.leave;
  const autoNotes = sum(Object.values(auto));
  const teleopNotes = sum(Object.values(teleop));
  const fouls = other.fouls * POINTS.foul + other.techFouls * POINTS.techFoul;
  const notes = counts.autoAmp + counts.autoSpeaker + counts.amp + counts.speaker + counts.amplified;
  const total = leave + autoNotes + teleopNotes + stage.points + fouls;
  return {
    final: total,
    foul: fouls,
    auto: leave + autoNotes,
    details: {
      ...Object.fromEntries(side.leaves.map((left, at) => [`autoLineRobot${at + 1}`, left ? "Yes" : "No"])),
      ...Object.fromEntries(side.endGame.map((place, at) => [`endGameRobot${at + 1}`, place])),
      autoAmpNoteCount: counts.autoAmp,
      autoSpeakerNoteCount: counts.autoSpeaker,
      teleopAmpNoteCount: counts.amp,
      teleopSpeakerNoteCount: counts.speaker,
      teleopSpeakerNoteAmplifiedCount: counts.amplified,
      ...Object.fromEntries(STAGES.map((stageName, at) => [`mic${stageName}`, lit[at] === true])),
      ...Object.fromEntries(STAGES.map((stageName, at) => [`trap${stageName}`, at < counts.traps])),
      autoPoints: leave + autoNotes,
      ...auto,
      autoTotalNotePoints: autoNotes,
      autoLeavePoints: leave,
      teleopPoints: teleopNotes + stage.points,
      ...teleop,
      teleopTotalNotePoints: teleopNotes,
      ...stage.parts,
      endGameTotalStagePoints: stage.points,
      melodyBonusAchieved: notes >= (isCooperation ? MELODY_WITH_COOPERATION : MELODY),
      ensembleBonusAchieved: stage.points >= ENSEMBLE_POINTS && stage.robots >= ENSEMBLE_ROBOTS,
      coopertitionCriteriaMet: side.cooperates,
      coopNotePlayed: side.cooperates,
      foulCount: side.fouls,
      techFoulCount: side.techFouls,
      g206Penalty: false,
      g408Penalty: false,
      g424Penalty: false,
      adjustPoints: 0,
      foulPoints: fouls,
      totalPoints: total,
    },
  };
}

export type SimulatedScore = ReturnType<typeof scoredSide>;

/** Only qualification matches give ranking points. */
function rankingPointsOf(own: SimulatedScore, other: SimulatedScore, isQualification: boolean): number {
  if (!isQualification) return 0;
  const outcome = own.final > other.final ? 2 : own.final === other.final ? 1 : 0;
  const { melodyBonusAchieved, ensembleBonusAchieved } = own.details;
  return outcome + (melodyBonusAchieved ? 1 : 0) + (ensembleBonusAchieved ? 1 : 0);
}

export function simulatedMatch(
  red: readonly Strength[],
  blue: readonly Strength[],
  isQualification: boolean,
  random: Random,
) {
  const [redSide, blueSide] = [playedSide(red, random), playedSide(blue, random)];
  const isCooperation = isQualification && redSide.cooperates && blueSide.cooperates;
  const redScore = scoredSide(redSide, blueSide, isCooperation, random);
  const blueScore = scoredSide(blueSide, redSide, isCooperation, random);
  return {
    scoreRedFinal: redScore.final,
    scoreRedFoul: redScore.foul,
    scoreRedAuto: redScore.auto,
    scoreBlueFinal: blueScore.final,
    scoreBlueFoul: blueScore.foul,
    scoreBlueAuto: blueScore.auto,
    scoreDetails: {
      coopertitionBonusAchieved: isCooperation,
      melodyBonusThresholdCoop: MELODY_WITH_COOPERATION,
      melodyBonusThresholdNonCoop: MELODY,
      melodyBonusThreshold: isCooperation ? MELODY_WITH_COOPERATION : MELODY,
      ensembleBonusStagePointsThreshold: ENSEMBLE_POINTS,
      ensembleBonusOnStageRobotsThreshold: ENSEMBLE_ROBOTS,
      alliances: [
        { alliance: "Blue", ...blueScore.details, rp: rankingPointsOf(blueScore, redScore, isQualification) },
        { alliance: "Red", ...redScore.details, rp: rankingPointsOf(redScore, blueScore, isQualification) },
      ],
    },
  };
}
