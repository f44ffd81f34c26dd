/** Documents that a job makes. */
import { Type } from "@sinclair/typebox";
import { recordKind } from "../../book/index.ts";

/** Where the finished document is stored. */
export const Content = Type.Object({ blobId: Type.Optional(Type.String()) });
export const OverviewKept = recordKind(
  ["export-annual-overview"],
  Type.Object({ year: Type.Number(), ...Content.properties }),
);
recordKind(["export-rib", "statement", "invoice-export"], Content);
