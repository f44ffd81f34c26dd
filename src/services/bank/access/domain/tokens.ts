/** What callers show in the authentication header: a key, or the token of an installation or of a session. */

const INSTALLATION = "mbi_";
const SESSION = "mbs_";
export const SECRET_LENGTH = 64;
/** No user's key is shorter. */
const KEY_LENGTH_MIN = 48;
export const mayBeUsersKey = (text: string): boolean => text.length >= KEY_LENGTH_MIN;

export const isInstallationToken = (text: string): boolean => text.startsWith(INSTALLATION);
export const isSessionToken = (text: string): boolean => text.startsWith(SESSION);
export const sessionTokenOf = (secret: string): string => SESSION + secret;

/** An installation is known to nobody but its holder until it has registered a device: it lies in its token, sealed. */
export type Installation = { readonly id: number; readonly publicKey: string; readonly createdAtMs: number };

type Box = { seal(plain: string): string; open(sealed: string): string };
export const installationTokenOf = ({ id, publicKey, createdAtMs }: Installation, box: Box): string =>
  INSTALLATION + box.seal(JSON.stringify(["bank installation", id, publicKey, createdAtMs]));

export function openInstallationToken(token: string, box: Box): Installation | undefined {
  try {
    const [purpose, id, publicKey, createdAtMs] = JSON.parse(box.open(token.slice(INSTALLATION.length)));
    return purpose === "bank installation" ? { id, publicKey, createdAtMs } : undefined;
  } catch {
    return undefined;
  }
}
