/** A real Chromium for browser tests. A missing one is installed, aloud; a test never goes without. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Nothing but what the tests ask for goes over the network. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

const findChromium = (): string | undefined =>
  [process.env.CHROMIUM_PATH ?? "", ...PLACES].find((path) => path !== "" && existsSync(path));

function run(command: string, ...args: string[]): boolean {
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const [program = command, ...rest] = [...asRoot, command, ...args];
  const { status } = spawnSync(program, rest, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

function installChromium(): void {
  console.warn(
    "Chromium is missing: installing the package chromium with apt-get. This takes a minute or two.",
  );
  const waiting = ["-o", "DPkg::Lock::Timeout=600"];
  run("apt-get", ...waiting, "update", "-qq");
  if (!run("apt-get", ...waiting, "install", "-y", "-qq", "--no-install-recommends", "chromium"))
    throw new Error(
      "Chromium could not be installed. Install it by hand (apt-get install chromium), or name one in CHROMIUM_PATH.",
    );
}

/** Close it after the tests. */
export async function launchBrowser(): Promise<Browser> {
  if (findChromium() === undefined) installChromium();
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error("Chromium was installed but is in none of the usual places.");
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

export type Visit = { readonly context: BrowserContext; readonly page: Page };

/** Somebody with an empty browser of their own. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(45_000);
  return { context, page: await context.newPage() };
}

/** A virtual authenticator that always recognises its owner; passkeys made in the page are kept in it. */
export async function addAuthenticator({ context, page }: Visit): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
