/** Who is nearest among many: indexes that training makes, in memory within a bound, scanned in threads. */
export { BLOCK_ENTRIES_MAX, type Entry, packBlock, writeCode } from "./codes.ts";
export {
  getNamedContainer,
  getPersonDescriptors,
  getRecognitionModel,
  type NearFace,
  type NearPerson,
  searchFaces,
  searchPersons,
} from "./search.ts";
export { forgetFaces } from "./upkeep.ts";
