/** Names of resources across services, accounts and regions, in the neutral spelling and in the maker's. */

export type Arn = {
  readonly partition: string;
  readonly service: string;
  /** Empty if the resource has no region. */
  readonly region: string;
  readonly account: string;
  /** The part after the account: it may contain colons and slashes. */
  readonly resource: string;
};

const PARTITION = "vendor";
const ARN = /^arn:([^:]+):([^:]*):([^:]*):([^:]*):(.+)$/s;

export const arnOf = ({ service, region, account, resource }: Omit<Arn, "partition">): string =>
  `arn:${PARTITION}:${service}:${region}:${account}:${resource}`;

export function parseArn(text: string): Arn | undefined {
  const match = ARN.exec(text);
  if (!match) return undefined;
  const [, partition = "", service = "", region = "", account = "", resource = ""] = match;
  return { partition, service, region, account, resource };
}

/**
 * Of something that exists here, in either spelling. A name in another partition names something else: permissions
 * are given by partition, so it must not lead to the same resource.
 */
export function parseOwnArn(text: string): Arn | undefined {
  const arn = parseArn(neutralName(text));
  return arn?.partition === PARTITION ? arn : undefined;
}

const MAKERS_ARN = /^arn:aws(?=[:-])/;
const NEUTRAL_ARN = /^arn:vendor(?=[:-])/;

/**
 * The neutral spelling of a name (of a resource: `arn:aws:…`, or of a type: `AWS::…`). Other text stays unchanged.
 */
export function neutralName(text: string): string {
  if (text.startsWith("AWS::")) return `Vendor::${text.slice("AWS::".length)}`;
  return text.startsWith("arn:aws") ? text.replace(MAKERS_ARN, "arn:vendor") : text;
}
/** The same name in the maker's spelling. */
export function makersName(text: string): string {
  if (text.startsWith("Vendor::")) return `AWS::${text.slice("Vendor::".length)}`;
  return text.startsWith("arn:vendor") ? text.replace(NEUTRAL_ARN, "arn:aws") : text;
}

const MAKERS_NAMES = /\barn:aws(?=[:-])|\bAWS::(?=\w)/g;
const NEUTRAL_NAMES = /\barn:vendor(?=[:-])|\bVendor::(?=\w)/g;

/** Every name inside a sentence. */
export const neutralNamesIn = (text: string): string =>
  text.replace(MAKERS_NAMES, (found) => (found === "AWS::" ? "Vendor::" : "arn:vendor"));
export const makersNamesIn = (text: string): string =>
  text.replace(NEUTRAL_NAMES, (found) => (found === "Vendor::" ? "AWS::" : "arn:aws"));
