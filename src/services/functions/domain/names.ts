/** The names of projects, locations, functions and operations. */
import { arnOf } from "#kernel/arn";
import { errors } from "../errors.ts";

export const PROJECT_FORM = "projects/{}";
export const LOCATION_FORM = "projects/{}/locations/{}";
export const FUNCTION_FORM = "projects/{}/locations/{}/functions/{}";
export const OPERATION_FORM = "projects/{}/locations/{}/operations/{}";

export const FUNCTION_ID_LENGTH_MIN = 4;
export const FUNCTION_ID_LENGTH_MAX = 63;
const FUNCTION_ID = /^[a-z-]+$/;
const PROJECT = /^[a-z0-9][a-z0-9.:_-]{0,98}$/i;
const LOCATION = /^[a-z0-9-]{1,63}$/;
/** Denotes all locations in lists. */
export const EVERYWHERE = "-";

export type Place = { readonly project: string; readonly location: string };
export type FunctionName = Place & { readonly functionId: string };

/** Throws if the project or location is invalid. */
export function placeOf(name: string): Place {
  const [, project = "", , location = ""] = name.split("/");
  if (!PROJECT.test(project)) throw errors.invalidArgument(`"${project}" is not the name of a project.`);
  if (!LOCATION.test(location)) throw errors.invalidArgument(`"${location}" is not the name of a location.`);
  return { project, location };
}
export function projectOf(name: string): string {
  const [, project = ""] = name.split("/");
  if (!PROJECT.test(project)) throw errors.invalidArgument(`"${project}" is not the name of a project.`);
  return project;
}
export function functionNameOf(name: string): FunctionName {
  const [, , , , , functionId = ""] = name.split("/");
  return { ...placeOf(name), functionId };
}
export const lastPartOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

export const nameOfPlace = ({ project, location }: Place): string =>
  `projects/${project}/locations/${location}`;
export const nameOfFunction = (name: FunctionName): string =>
  `${nameOfPlace(name)}/functions/${name.functionId}`;
/** The service behind a function has its id. */
export const nameOfService = (name: FunctionName): string =>
  `${nameOfPlace(name)}/services/${name.functionId}`;
/** Its type and name in the catalogue. */
export const FUNCTION_TYPE = "Vendor::Functions::Function";
export const arnOfFunction = (account: string, { project, location, functionId }: FunctionName): string =>
  arnOf({ service: "functions", region: location, account, resource: `function/${project}/${functionId}` });
export const nameOfOperation = (place: Place, id: string): string => `${nameOfPlace(place)}/operations/${id}`;

export function checkFunctionId(functionId: string): void {
  const fits =
    functionId.length >= FUNCTION_ID_LENGTH_MIN &&
    functionId.length <= FUNCTION_ID_LENGTH_MAX &&
    FUNCTION_ID.test(functionId);
  if (!fits)
    throw errors.invalidArgument(
      `functionId must have ${FUNCTION_ID_LENGTH_MIN} to ${FUNCTION_ID_LENGTH_MAX} characters, each a letter from a to z or a hyphen.`,
    );
}

/** The name in a body may be left out, but not be another's. */
export function checkSaidName(said: string | undefined, name: FunctionName): void {
  if (said === undefined || said === "" || said === nameOfFunction(name)) return;
  throw errors.invalidArgument(`name must be ${nameOfFunction(name)}, as the address says, or be left out.`);
}

/** For a function that was given no id. */
export const madeUpFunctionId = (letters: string): string => `function-${letters}`;
