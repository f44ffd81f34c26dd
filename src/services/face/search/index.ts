/** Nearest-neighbour search: trained indexes in bounded memory, scanned in worker threads. */
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
