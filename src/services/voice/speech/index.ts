/** Speech synthesis: converts text, SSML and call instructions to WAV. */
export { SpeechError } from "./errors.ts";
export { planSpeech, type SpeechContent } from "./plan.ts";
export { createSpeech, type Speech, type SpokenMessage } from "./speech.ts";
export { levelOf, readWav } from "./wav.ts";
