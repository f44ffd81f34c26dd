/**
 * Addresses that users name: while others can reach Medley, no caller connects to this machine, directly, by
 * another spelling, or by a redirect.
 */
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Backups } from "../support/backup.ts";
import { euros, newHolder } from "../support/bank-people.ts";
import { eventually } from "../support/eventually.ts";
import { newGateway } from "../support/gateway.ts";
import { type Instance, startInstance } from "../support/medley.ts";
import { Directory, feedOf, items } from "../support/podcasts.ts";
import { toTopic, Voice } from "../support/voice.ts";

/** Counts connections, and answers nothing. */
let connections = 0;
const trap = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
/** May be reached, by its name, and leads to the address in its path. */
const guide = createHttpServer(({ url = "" }, response) => {
  const location = Buffer.from(url.split("/")[2] ?? "", "base64url").toString();
  response.writeHead(307, { location }).end();
});
const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

let running: Instance;
const instance = () => running;
beforeAll(async () => {
  await Promise.all([listen(trap), listen(guide)]);
  running = await startInstance({ host: "0.0.0.0", allowedNetworks: ["localhost"], bankRateLimit: 0 });
  await new Backups(instance).vault("main");
});
afterAll(async () => {
  await running?.stop();
  guide.closeAllConnections();
  for (const server of [trap, guide]) server.close();
});

const DIRECT = ["127.0.0.1", "2130706433", "0x7f000001", "0177.1", "[::ffff:127.0.0.1]", "a.localhost"];
const directUrls = () => DIRECT.map((host) => `http://${host}:${portOf(trap)}/`);
const isGuided = (url: string): boolean => url.includes("/to/");
const redirects = () =>
  directUrls().map((url) => `http://localhost:${portOf(guide)}/to/${Buffer.from(url).toString("base64url")}`);
const inTurn = async (urls: readonly string[], ask: (url: string, at: number) => Promise<string>) => {
  const said: string[] = [];
  for (const [at, url] of urls.entries()) said.push(await ask(url, at));
  return said;
};

/** What each tells its user about each address. */
type Caller = (urls: readonly string[]) => Promise<readonly string[]>;

const picture: Caller = (urls) =>
  inTurn(urls, async (url) => {
    const headers = { "Ocp-Apim-Subscription-Key": "first-api-key-0001" };
    const answer = await running.send("POST", "/face/v1.0/detect", { body: { url }, headers });
    expect(answer.status).toBe(400);
    return answer.text;
  });
const feed: Caller = (urls) =>
  inTurn(urls, async (url) => {
    const { status, reason } = await new Directory(instance).decide(url);
    expect(status).toBe("rejected");
    return reason;
  });
let shows = 0;
const transcript: Caller = async (urls) => {
  shows += 1;
  const episodes = items(urls.length).map((item, at) => ({
    ...item,
    more: `<podcast:transcript url="${urls[at]}" type="text/plain"/>`,
  }));
  const name = `shown ${shows}`;
  await new Directory(instance).handOver(name, feedOf(name, episodes));
  return eventually(async () => {
    const { text } = await running.bearer("GET", "/_medley/state?service=podcasts");
    const problems = text
      .split("\n")
      .filter((row) => row.includes('"podcasts_transcript"'))
      .map((row) => JSON.parse(row).row.problem.trim() as string)
      .filter((problem) => problem !== "");
    return problems.length >= urls.length * shows && problems;
  });
};
/** At most two for each person. */
const notificationPair = async (urls: readonly string[]): Promise<string[]> => {
  const person = await newHolder(instance);
  const filters = urls.map((url) => ({ category: "MUTATION", notification_target: url }));
  await person.done("POST", `${person.user}/notification-filter-url`, { notification_filters: filters });
  const shop = { type: "IBAN", value: "NL91ABNA0417164300", name: "Shop" };
  const payment = { amount: euros("1.00"), counterparty_alias: shop, description: "Tea" };
  await person.done("POST", `${person.ledger}/payment`, payment);
  const failures = await eventually(async () => {
    await running.clock.advance(60_000);
    const found = await person.done("GET", `${person.user}/notification-filter-failure?count=200`);
    return found.length >= urls.length && found;
  });
  return failures.map((one: { exception_message: string }) => one.exception_message);
};
const notification: Caller = async (urls) => {
  const said: string[] = [];
  for (let at = 0; at < urls.length; at += 2) said.push(...(await notificationPair(urls.slice(at, at + 2))));
  return said;
};
const subscription: Caller = async (urls) => {
  const voice = new Voice(instance);
  const set = `set-${urls.some(isGuided)}`;
  const targets = new Set(urls.map((url) => new URL(url).href));
  const TopicArn = `arn:vendor:sns:us-east-1:111111111111:${set}`;
  for (const Endpoint of urls)
    expect(
      (await voice.send("POST", "/voice/v1/sms-voice/topic-subscriptions", { TopicArn, Endpoint })).status,
    ).toBe(200);
  await voice.createSet(set);
  await voice.createDestination(set, "topic", { ...toTopic, TopicDestination: { TopicArn } });
  await voice.message({ ConfigurationSetName: set, DestinationPhoneNumber: "+12065550120" });
  await running.clock.advance("1d");
  const messages = await voice.outbox("kind=webhook&state=failed");
  const told = messages.filter(({ target }) => targets.has(target));
  expect(new Set(told.map(({ target }) => target))).toEqual(targets);
  return told.map(({ error }) => error);
};
const resource: Caller = async (urls) => {
  const backups = new Backups(instance);
  return inTurn(urls, async (url, at) => {
    const name = `outside-${isGuided(url)}-${at}`;
    const job = await backups.backedUp(await backups.register(name, { url }, "Vendor::Http::Resource"));
    expect(job.State).toBe("FAILED");
    return job.StatusMessage;
  });
};

const VERSION = "api-version=2016-03-01";
const jobs = (actionOf: (url: string) => object): Caller => {
  return async (urls) => {
    const path = "/management/subscriptions/s/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c";
    const send = async (method: string, below: string, properties?: object) => {
      const body = properties && { location: "westus", properties };
      const answer = await running.bearer(method, `${path}${below}?${VERSION}`, { body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    await send("PUT", "", {});
    return inTurn(urls, async (url, at) => {
      await send("PUT", `/jobs/j${at}`, {
        action: { type: "Http", request: actionOf(url), retryPolicy: { retryType: "None" } },
      });
      const [entry] = await eventually(async () => {
        const { value } = await send("GET", `/jobs/j${at}/history`);
        return value.length > 0 && value;
      });
      await send("DELETE", `/jobs/j${at}`);
      return entry.properties.message;
    });
  };
};
const job = jobs((uri) => ({ uri, method: "POST" }));
const tenant = jobs((url) => ({
  uri: "http://localhost:9/",
  method: "POST",
  authentication: { type: "ActiveDirectoryOAuth", tenant: url, audience: "a", clientId: "c", secret: "s" },
}));

const gateway = () => newGateway(instance, { url: "http://localhost:9" });
const backend: Caller = async (urls) => {
  const { api, call } = gateway();
  return inTurn(urls, async (serviceUrl, at) => {
    await api({ serviceUrl }, `b${at}`);
    const { status, text } = await call("GET", `/b${at}`);
    return `${status} ${text}`;
  });
};
const keys: Caller = async (urls) => {
  const { api, put, call } = gateway();
  await api({ serviceUrl: "http://localhost:9" });
  return inTurn(urls, async (url) => {
    const policy = `<validate-jwt header-name="Authorization"><openid-config url="${url}"/></validate-jwt>`;
    const value = `<policies><inbound>${policy}</inbound></policies>`;
    await put("apis/orders/policies/policy", { value, format: "rawxml" });
    const token = `Bearer ${["{}", "{}", "x"].map((part) => Buffer.from(part).toString("base64url")).join(".")}`;
    const { status, text } = await call("GET", "/orders", { headers: { authorization: token } });
    return `${status} ${text}`;
  });
};
const sector: Caller = (urls) =>
  inTurn(urls, async (url) => {
    const answer = await running.bearer("POST", "/identity/client", {
      body: {
        client_name: "Test",
        client_uri: "http://localhost:9/",
        redirect_uris: ["http://localhost:9/answer"],
        subject_type: "pairwise",
        sector_identifier_uri: url.replace("http:", "https:"),
      },
    });
    expect(answer.status).toBe(400);
    return answer.text;
  });

const REFUSED = /may not be reached/;
/** Who follows no redirects has no reason to refuse the second address. */
it.each<[string, Caller, RegExp, RegExp]>([
  ["a picture of faces", picture, REFUSED, REFUSED],
  ["a podcast's feed", feed, REFUSED, REFUSED],
  ["an episode's transcript", transcript, REFUSED, REFUSED],
  ["a receiver of the bank's notifications", notification, REFUSED, REFUSED],
  ["a subscriber to a topic", subscription, REFUSED, REFUSED],
  ["a resource to back up", resource, REFUSED, REFUSED],
  ["a job's address", job, REFUSED, REFUSED],
  ["a job's issuer of tokens", tenant, REFUSED, /answered 307/],
  ["a gateway's backend", backend, /^502 .*could not be reached/, /^307 /],
  ["a gateway's issuer of tokens", keys, /^401 .*could not be read/, /^401 .*could not be read/],
  ["an application's sector", sector, REFUSED, /sector_identifier_uri/],
])("%s is refused on this machine", async (_name, caller, direct, redirected) => {
  connections = 0;
  for (const said of await caller(directUrls())) expect(said).toMatch(direct);
  for (const said of await caller(redirects())) expect(said).toMatch(redirected);
  expect(connections).toBe(0);
});
