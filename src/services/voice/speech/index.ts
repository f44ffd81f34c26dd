/** Speech: text, SSML and call instructions to WAV. */
export { SpeechError, type SpeechErrorReason, SsmlError } from "./errors.ts";
export { planSpeech, type SpeechContent } from "./plan.ts";
export { resample } from "./resample.ts";
export { createSpeech, type Speech, type SpeechOptions, type SpokenMessage } from "./speech.ts";
export { levelOf, readWav, type WavAudio, writeWav } from "./wav.ts";
