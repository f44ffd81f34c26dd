/** ARNs of lists and groups. */
import { arnOf, parseArn } from "#kernel/arn";
import { type ContainerRef, KINDS, type Kind } from "./containers.ts";

export const RESOURCE_TYPES: Readonly<Record<Kind, string>> = {
  facelist: "Vendor::Face::FaceList",
  largefacelist: "Vendor::Face::LargeFaceList",
  persongroup: "Vendor::Face::PersonGroup",
  largepersongroup: "Vendor::Face::LargePersonGroup",
};

export const containerArnOf = (account: string, { kind, id }: ContainerRef): string =>
  arnOf({ service: "face", region: "", account, resource: `${kind}/${id}` });
export function findContainerIn(arn: string): ContainerRef | undefined {
  const [first, id = ""] = (parseArn(arn)?.resource ?? "").split("/", 2);
  const kind = KINDS.find((one) => one === first);
  return kind && { kind, id };
}
