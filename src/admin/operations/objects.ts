/**
 * Maintenance of the object store: missing and orphaned objects, and moves between the store and the
 * database.
 */
import { Type } from "@sinclair/typebox";
import { moveObjects, sweepObjects, verifyObjects } from "#kernel/objects";
import { operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<unknown>();
const TIMEOUT_SECONDS = 3600;
const count = (description: string) => Type.Integer({ description, examples: [0] });

export const objectOperations = (kernel: Kernel) => [
  operation({
    id: "medley.objects.verify",
    summary: "Compares the object store with the database",
    description:
      "Changes nothing, but lists the whole store. Missing objects are lost content; unnamed ones are deleted by `medley.objects.sweep`.",
    method: "GET",
    path: "/objects",
    permission: ADMIN_PERMISSION,
    timeoutSeconds: TIMEOUT_SECONDS,
    answers: {
      200: Type.Object({
        objects: count("Objects in the store, of the services that run here."),
        bytes: count("The size of all of them."),
        missing: count("Names without objects: bytes that are lost."),
        missingNames: Type.Array(
          Type.String({ description: "A name without an object.", examples: ["1f0c/voice/9f86-07ab"] }),
          { description: "The first hundred of them." },
        ),
        unnamed: count("Objects that no row names; they are removed after the grace time."),
        inDatabase: count("Rows with large bytes that are still in the database."),
      }),
    },
    handle: () => verifyObjects(kernel),
  }),
  operation({
    id: "medley.objects.sweep",
    summary: "Deletes objects that no row names",
    description: "Only objects without a name for the grace time are deleted. A job does the same regularly.",
    method: "POST",
    path: "/objects/sweep",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    answers: {
      200: Type.Object({
        removed: count("Objects that were removed."),
        waiting: count("Objects that nothing names, whose grace time is not over."),
      }),
    },
    handle: () => sweepObjects(kernel),
  }),
  operation({
    id: "medley.objects.move",
    summary: "Moves content between the database and the object store",
    description:
      "Moves a part; call it again with `next` until there is none. An interrupted move can be continued, and content stays readable meanwhile.",
    method: "POST",
    path: "/objects/move",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    timeoutSeconds: TIMEOUT_SECONDS,
    body: Type.Object(
      {
        to: Type.Union([Type.Literal("s3"), Type.Literal("database")], {
          description: "Where the bytes go.",
          examples: ["s3"],
        }),
        next: Type.Optional(
          Type.String({
            maxLength: 2000,
            description: "Where an earlier call has ended.",
            examples: ['{"table":1}'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: {
      200: Type.Object({
        moved: count("Rows whose bytes were moved."),
        bytes: count("The size of what was moved."),
        missing: count("Rows whose object is not in the store; they stay as they are."),
        next: Type.Optional(
          Type.String({ description: "Where to continue; absent at the end.", examples: ['{"table":1}'] }),
        ),
      }),
    },
    handle: ({ body: { to, next } }) => moveObjects(kernel, to, next),
  }),
];
