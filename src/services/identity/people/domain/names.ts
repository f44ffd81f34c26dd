/** User names, addresses and passwords: validation and comparison. Pure. */

const USERNAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}])?$/u;
const EMAIL = /^[^\s@<>"'(),:;\\[\]]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const USERNAME_LENGTH_MIN = 3;
const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MIN = 10;
/** Hashing longer ones would only cost time. */
export const PASSWORD_LENGTH_MAX = 256;
const DIFFERENT_CHARACTERS_MIN = 5;

/** Names that look alike but for case and width are one name. */
export const keyOf = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

/** The problem as a message for the person, or undefined. */
export function findUsernameProblem(username: string): string | undefined {
  if (username.length < USERNAME_LENGTH_MIN) return `Use at least ${USERNAME_LENGTH_MIN} characters.`;
  if (!USERNAME.test(username))
    return "Use letters and digits, with dots, dashes or underscores between them, up to 64.";
  return undefined;
}

export function findEmailProblem(email: string): string | undefined {
  if (email.length > EMAIL_LENGTH_MAX || !EMAIL.test(email) || email.includes("..") || /\p{C}/u.test(email))
    return "This does not look like an e-mail address.";
  return undefined;
}

const COMMON = [
  "password",
  "passwort",
  "qwerty",
  "letmein",
  "welcome",
  "iloveyou",
  "admin",
  "123456",
  "abcdef",
  "secret",
  "changeme",
  "football",
  "dragon",
  "monkey",
];
/** A common word with a few digits is the first guess of an attacker. */
const isCommon = (password: string): boolean => {
  const letters = password.toLowerCase().replace(/[^a-z]/g, "");
  const plain = password.toLowerCase().replace(/[^a-z0-9]/g, "");
  return COMMON.some((word) => letters === word || plain === word.repeat(2) || /^[0-9]+$/.test(plain));
};

export function findPasswordProblem(password: string, names: readonly string[]): string | undefined {
  if ([...password].length < PASSWORD_LENGTH_MIN)
    return `Use at least ${PASSWORD_LENGTH_MIN} characters. A few words in a row are fine.`;
  if (password.length > PASSWORD_LENGTH_MAX) return `Use at most ${PASSWORD_LENGTH_MAX} characters.`;
  const key = keyOf(password);
  if (names.some((name) => name !== "" && keyOf(name) === key))
    return "Use something other than your name or address.";
  if (new Set(key).size < DIFFERENT_CHARACTERS_MIN || isCommon(password))
    return "This one is easy to guess. A few unrelated words make a good one.";
  return undefined;
}
