/** ARNs of inputs and models. */
import { arnOf, parseOwnArn } from "#kernel/arn";

export type ModelKind = "detector" | "alarm";
const RESOURCE = { detector: "detectorModel", alarm: "alarmModel" } as const;

const own = (account: string, region: string, resource: string): string =>
  arnOf({ service: "iotevents", region, account, resource });
export const inputArnOf = (account: string, region: string, name: string): string =>
  own(account, region, `input/${name}`);
export const modelArnOf = ({
  account,
  region,
  kind,
  name,
}: {
  account: string;
  region: string;
  kind: string;
  name: string;
}): string => own(account, region, `${RESOURCE[kind as ModelKind]}/${name}`);

export type NamedResource = { readonly kind: ModelKind | "input"; readonly name: string };
const KINDS = new Map<string, NamedResource["kind"]>([
  ["input", "input"],
  ["detectorModel", "detector"],
  ["alarmModel", "alarm"],
]);
/** Undefined if the ARN is not an input or a model of this account and region. */
export function findNamed(arn: string, account: string, region: string): NamedResource | undefined {
  const parsed = parseOwnArn(arn);
  if (parsed?.service !== "iotevents" || parsed.account !== account || parsed.region !== region)
    return undefined;
  const [type = "", name = "", more] = parsed.resource.split("/");
  const kind = KINDS.get(type);
  return kind !== undefined && name !== "" && more === undefined ? { kind, name } : undefined;
}

/** Resource types in the catalogue. */
export const TYPE = {
  input: "Vendor::IoTEvents::Input",
  detector: "Vendor::IoTEvents::DetectorModel",
  alarm: "Vendor::IoTEvents::AlarmModel",
} as const;
