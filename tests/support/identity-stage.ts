/** The identity service, an application that uses it, and a browser: the stage of the browser tests. */
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { launchBrowser, type Visit, visit } from "./browser.ts";
import { registerClient, type TestClient } from "./identity-browser.ts";
import { type Instance, startInstance } from "./medley.ts";
import { RelyingParty } from "./relying-party.ts";

export const ann = { username: "ann", password: "ann-password-1" };
type Place = Pick<Page, "getByLabel" | "getByRole">;

export class IdentityStage {
  readonly instance: Instance;
  readonly application: RelyingParty;
  readonly browser: Browser;
  readonly client: TestClient;
  /** Passkeys need a host name. */
  readonly base: string;
  /** What browsers complain about: content security policy, broken script, missing files. */
  readonly complaints: string[] = [];
  #people = 0;

  constructor(
    instance: Instance,
    application: RelyingParty,
    browser: Browser,
    client: TestClient,
    host = instance.url.replace("127.0.0.1", "localhost"),
  ) {
    this.instance = instance;
    this.application = application;
    this.browser = browser;
    this.client = client;
    this.base = `${host}/identity`;
  }
  /** `publicUrl`: where people find it, if that is a proxy's address. */
  static async open(publicUrl?: string): Promise<IdentityStage> {
    const behind = publicUrl === undefined ? {} : { publicUrl, trustedProxies: ["127.0.0.1"] };
    const [instance, application, browser] = await Promise.all([
      startInstance({ services: ["identity"], ...behind }),
      new RelyingParty().open(),
      launchBrowser(),
    ]);
    const client = await registerClient(instance, {
      client_name: "Garden planner",
      client_uri: "https://garden.example.org",
      redirect_uris: [`${application.url}/answer`],
      post_logout_redirect_uris: [`${application.url}/answer`],
      policy_uri: "https://garden.example.org/privacy",
    });
    return new IdentityStage(instance, application, browser, client, publicUrl);
  }
  async close(): Promise<void> {
    await this.browser.close();
    await this.application.close();
    await this.instance.stop();
  }

  authorizeUrl(change: Record<string, string> = {}, clientId = this.client.client_id): string {
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: "code",
      scope: "openid profile email",
      redirect_uri: `${this.application.url}/answer`,
      state: "a state",
      ...change,
    });
    return `${this.base}/authorize?${query}`;
  }
  async visit(options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
    const opened = await visit(this.browser, options);
    opened.context.on("console", (message) => {
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text()))
        this.complaints.push(message.text());
    });
    opened.context.on("weberror", (error) => this.complaints.push(error.error().message));
    return opened;
  }
  async signIn(page: Place, { username, password } = ann): Promise<void> {
    await page.getByLabel("User name or e-mail").fill(username);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }
  /** Types as people do: once the cursor is there. A page focuses its first field after it was loaded, not before. */
  async typeInto(page: Page, name: string, text: string): Promise<void> {
    const focused = page.locator(`input[name="${name}"]:focus`);
    await focused.waitFor();
    await page.keyboard.type(text);
    expect(await focused.inputValue()).toBe(text);
  }
  /** What came back to the application. */
  async answerOf(page: Page): Promise<URLSearchParams> {
    await page.waitForURL(`${this.application.url}/answer**`);
    const { search, hash } = new URL(page.url());
    return new URLSearchParams(hash === "" ? search : hash.slice(1));
  }
  async signInAndAllow(page: Page): Promise<URLSearchParams> {
    await page.goto(this.authorizeUrl({ prompt: "consent" }));
    await this.signIn(page);
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    return this.answerOf(page);
  }
  async linkInMail(address: string, path: string): Promise<string> {
    const { body } = await this.instance.bearer("GET", "/_medley/outbox?kind=mail");
    const mail = body.messages.find(
      (one: { target: string; body: { link?: string } }) =>
        one.target === address && one.body.link?.includes(path),
    );
    return mail?.body.link ?? "";
  }
  /** Somebody new, up to the consent page. */
  async signUp(page: Page) {
    this.#people += 1;
    const person = {
      username: `person${this.#people}`,
      password: "quiet river stone",
      email: `person${this.#people}@example.org`,
    };
    await page.goto(this.authorizeUrl());
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Your name").fill(`Person ${this.#people}`);
    await page.getByLabel("User name").fill(person.username);
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Create account" }).click();
    return person;
  }
}
