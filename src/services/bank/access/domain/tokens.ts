/** Credentials in the authentication header: an API key, an installation token or a session token. */

const INSTALLATION = "mbi_";
const SESSION = "mbs_";
export const SECRET_LENGTH = 64;
/** No user's key is shorter. */
const KEY_LENGTH_MIN = 48;
export const mayBeUsersKey = (text: string): boolean => text.length >= KEY_LENGTH_MIN;

export const isInstallationToken = (text: string): boolean => text.startsWith(INSTALLATION);
export const isSessionToken = (text: string): boolean => text.startsWith(SESSION);
export const sessionTokenOf = (secret: string): string => SESSION + secret;

/** An installation without a device is not stored. Its data is encrypted inside its token. */
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
