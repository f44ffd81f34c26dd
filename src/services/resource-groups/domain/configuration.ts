/** Group configurations: requirements on a group and its members, with the rules of each type. */
import { errors } from "../errors.ts";
import type { Query } from "./query.ts";

export type Parameter = { readonly name: string; readonly values?: readonly string[] };
export type ConfigurationItem = { readonly type: string; readonly parameters?: readonly Parameter[] };
export type Configuration = readonly ConfigurationItem[];

export const HOST_MANAGEMENT = "Vendor::EC2::HostManagement";
const CAPACITY_POOL = "Vendor::EC2::CapacityReservationPool";
const RULE_GROUP = "Vendor::NetworkFirewall::RuleGroup";
export const GENERIC = "Vendor::ResourceGroups::Generic";
const HOST = "Vendor::EC2::Host";
const CAPACITY_RESERVATION = "Vendor::EC2::CapacityReservation";
const ALLOWED_TYPES = "allowed-resource-types";
const PROTECTION = "deletion-protection";
const FAMILIES = "allowed-host-families";
const LICENSES = "allowed-host-based-license-configurations";
const ANY_LICENSE = "any-host-based-license-configuration";

type ParameterRule = {
  readonly values?: readonly string[];
  readonly pattern?: RegExp;
  readonly single?: boolean;
};
type TypeRule = { readonly parameters: Readonly<Record<string, ParameterRule>>; readonly owner?: string };

const TRUTH: ParameterRule = { values: ["true", "false"], single: true };
const rules: Readonly<Record<string, TypeRule>> = {
  [GENERIC]: {
    parameters: {
      [ALLOWED_TYPES]: { values: [HOST, CAPACITY_RESERVATION] },
      [PROTECTION]: { values: ["UNLESS_EMPTY"], single: true },
    },
  },
  [HOST_MANAGEMENT]: {
    parameters: {
      "auto-allocate-host": TRUTH,
      "auto-release-host": TRUTH,
      "auto-host-recovery": TRUTH,
      [FAMILIES]: { pattern: /^[a-zA-Z][a-zA-Z0-9-]*$/ },
      [LICENSES]: { pattern: /^arn:vendor(?:-[a-z]+)*:license-manager:.+/ },
      [ANY_LICENSE]: TRUTH,
    },
  },
  [CAPACITY_POOL]: { parameters: {} },
  [RULE_GROUP]: { parameters: {} },
  "Vendor::AppRegistry::Application": { parameters: {}, owner: "the application registry" },
  "Vendor::AppRegistry::ApplicationResourceGroups": { parameters: {}, owner: "the application registry" },
  "Vendor::CloudFormation::Stack": { parameters: {}, owner: "the application registry" },
};
const configurationTypes: readonly string[] = Object.keys(rules);

const invalid = (problem: string) => errors.badRequest(`The configuration is not valid: ${problem}`);
const findItem = (configuration: Configuration, type: string): ConfigurationItem | undefined =>
  configuration.find((item) => item.type === type);
function valuesOf(configuration: Configuration, type: string, name: string): readonly string[] | undefined {
  const parameter = findItem(configuration, type)?.parameters?.find((one) => one.name === name);
  return parameter && (parameter.values ?? []);
}

function checkParameter(
  type: string,
  { name, values = [] }: Parameter,
  rule: ParameterRule | undefined,
): void {
  if (!rule) throw invalid(`${type} has no parameter "${name}".`);
  if (values.length === 0) throw invalid(`the parameter "${name}" needs a value.`);
  if (rule.single && values.length > 1) throw invalid(`the parameter "${name}" takes a single value.`);
  for (const value of values) {
    if (rule.values && !rule.values.includes(value))
      throw invalid(`"${value}" is not a value of "${name}"; there are ${rule.values.join(", ")}.`);
    if (rule.pattern && !rule.pattern.test(value)) throw invalid(`"${value}" is not a value of "${name}".`);
  }
}
function checkItem({ type, parameters = [] }: ConfigurationItem): void {
  const rule = rules[type];
  if (!rule) throw invalid(`there is no type ${type}; there are ${configurationTypes.join(", ")}.`);
  if (rule.owner !== undefined)
    throw invalid(`groups of type ${type} are made by ${rule.owner} and cannot be made by callers.`);
  const names = parameters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`the parameter "${twice}" is given twice.`);
  for (const parameter of parameters) checkParameter(type, parameter, rule.parameters[parameter.name]);
}

/** A group of hosts or capacity reservations must declare that it allows no other types. */
function checkMembersRule(configuration: Configuration, type: string, member: string): void {
  const allowed = valuesOf(configuration, GENERIC, ALLOWED_TYPES) ?? [];
  if (allowed.length !== 1 || allowed[0] !== member)
    throw invalid(`${type} needs an item ${GENERIC} whose "${ALLOWED_TYPES}" is ${member} alone.`);
}
function checkHosts(configuration: Configuration): void {
  checkMembersRule(configuration, HOST_MANAGEMENT, HOST);
  if (valuesOf(configuration, GENERIC, PROTECTION) === undefined)
    throw invalid(`${HOST_MANAGEMENT} needs an item ${GENERIC} whose "${PROTECTION}" is UNLESS_EMPTY.`);
  const licenses = valuesOf(configuration, HOST_MANAGEMENT, LICENSES);
  const anyLicense = valuesOf(configuration, HOST_MANAGEMENT, ANY_LICENSE);
  if (licenses !== undefined && anyLicense !== undefined)
    throw invalid(`"${LICENSES}" and "${ANY_LICENSE}" exclude each other.`);
}

/** Throws unless the items are valid, compatible with each other and compatible with the query. */
export function checkConfiguration(configuration: Configuration, query: Query | undefined): void {
  const types = configuration.map(({ type }) => type);
  if (new Set(types).size < types.length) throw invalid("each type can occur once.");
  for (const item of configuration) checkItem(item);
  const has = (type: string) => types.includes(type);
  if (has(HOST_MANAGEMENT) && has(CAPACITY_POOL))
    throw invalid(`${HOST_MANAGEMENT} and ${CAPACITY_POOL} exclude each other.`);
  if (has(HOST_MANAGEMENT)) checkHosts(configuration);
  if (has(CAPACITY_POOL)) checkMembersRule(configuration, CAPACITY_POOL, CAPACITY_RESERVATION);
  if (has(RULE_GROUP)) {
    if (types.length > 1) throw invalid(`${RULE_GROUP} stands alone.`);
    if (query?.kind !== "TAG_FILTERS_1_0") throw invalid(`${RULE_GROUP} needs a group with a tag query.`);
  } else if (query && types.length > 0)
    throw errors.badRequest("A group has either a query or a configuration, not both.");
}

/** Groups whose members are managed explicitly. */
export const isStatic = (configuration: Configuration = []): boolean =>
  configuration.some(({ type }) => type === HOST_MANAGEMENT || type === CAPACITY_POOL);
export const allowedTypesOf = (configuration: Configuration = []): readonly string[] =>
  valuesOf(configuration, GENERIC, ALLOWED_TYPES) ?? [];
export const isProtectedUnlessEmpty = (configuration: Configuration = []): boolean =>
  valuesOf(configuration, GENERIC, PROTECTION)?.includes("UNLESS_EMPTY") ?? false;
/** Undefined means all families. */
export const allowedFamiliesOf = (configuration: Configuration = []): readonly string[] | undefined =>
  valuesOf(configuration, HOST_MANAGEMENT, FAMILIES)?.map((family) => family.toLowerCase());
export const holdsHosts = (configuration: Configuration = []): boolean =>
  findItem(configuration, HOST_MANAGEMENT) !== undefined;

export const sameConfiguration = (left: Configuration, right: Configuration): boolean =>
  JSON.stringify(canonicalOf(left)) === JSON.stringify(canonicalOf(right));
const canonicalOf = (configuration: Configuration) =>
  [...configuration]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, parameters = [] }) => [
      type,
      [...parameters]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, values = [] }) => [name, [...values].sort()]),
    ]);
