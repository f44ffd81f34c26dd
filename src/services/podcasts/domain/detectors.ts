/** What a text tells of an episode: guests, sponsors, strong language. */
export const hasGuestInterview = (_title: string, _text: string): boolean => false;
export const hasSponsor = (_title: string, _text: string): boolean => false;
export const isExplicit = (_title: string, _text: string): boolean => false;
