/** Limits and the states of training, at their edges. */
import { describe, expect, it } from "vitest";
import {
  type Container,
  type Kind,
  requireRoomForContainer,
  requireRoomForFace,
  requireRoomForFaceOfPerson,
  requireRoomForPerson,
  type Training,
  trainingAsked,
  trainingEnded,
} from "./containers.ts";
import { requireRoomForSnapshot } from "./snapshots.ts";

const containerOf = (kind: Kind, more: Partial<Container> = {}): Container => ({
  kind,
  id: "a",
  uid: "u",
  name: "A",
  userData: undefined,
  recognitionModel: "recognition_04",
  faceCount: 0,
  personCount: 0,
  createdAtMs: 0,
  training: undefined,
  trained: undefined,
  ...more,
});

it.each([
  ["facelist", 64, 0, 1000],
  ["largefacelist", 1_000_000, 0, 1_000_000],
  ["persongroup", 1_000_000, 10_000, 1_000_000],
  ["largepersongroup", 1_000_000, 1_000_000, 1_000_000],
] as const)("a %s is full at its limits", (kind, containers, persons, faces) => {
  for (const [require, max] of [
    [(count: number) => requireRoomForContainer(kind, count), containers],
    [(count: number) => requireRoomForPerson(containerOf(kind, { personCount: count })), persons],
    [(count: number) => requireRoomForFace(containerOf(kind, { faceCount: count })), faces],
    [requireRoomForFaceOfPerson, 248],
    [requireRoomForSnapshot, 1000],
  ] as const) {
    if (max > 0) expect(() => require(max - 1)).not.toThrow();
    expect(() => require(max)).toThrow(`${max}`);
  }
});

describe("training", () => {
  const at = (status: Training["status"], number: number): Training => ({
    status,
    number,
    message: undefined,
    changedAtMs: 5,
  });

  it.each([
    ["nobody asked before", undefined, { status: "nonstarted", number: 1, changedAtMs: 9 }],
    ["one waits", at("nonstarted", 3), { status: "nonstarted", number: 3, changedAtMs: 5 }],
    ["one runs", at("running", 3), { status: "running", number: 4, changedAtMs: 5 }],
    ["one has succeeded", at("succeeded", 3), { status: "nonstarted", number: 4, changedAtMs: 9 }],
    ["one has failed", at("failed", 3), { status: "nonstarted", number: 4, changedAtMs: 9 }],
  ])("is asked for where %s", (_where, training, expected) => {
    expect(trainingAsked(containerOf("persongroup", { training }), 9)).toMatchObject(expected);
  });

  it.each([
    ["the newest, with faces", 3, { generation: 3, facesCount: 2 }, "succeeded", 3],
    ["the newest, with none", 3, { generation: 3, facesCount: 0 }, "failed", 1],
    ["overtaken, and newer than what answers", 3, { generation: 2, facesCount: 2 }, "running", 2],
    ["overtaken by one that has ended", 3, { generation: 1, facesCount: 2 }, "running", 1],
    ["overtaken, with no faces", 3, { generation: 2, facesCount: 0 }, "running", 1],
  ])("ends: %s", (_how, asked, ended, status, answering) => {
    const trained = { generation: 1, atMs: 1 };
    const container = containerOf("persongroup", { training: at("running", asked), trained });
    const after = trainingEnded(container, { ...ended, nowMs: 9 });
    expect([after.training?.status, after.trained?.generation]).toEqual([status, answering]);
    expect(after.training?.message === undefined).toBe(status !== "failed");
  });
});
