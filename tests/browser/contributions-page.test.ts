/** An assignment's page in a real Chromium: read and contributed on, with and without script, on a phone and a desk, light and dark. */
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll, VIEWS } from "../support/accessibility.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { BASE } from "../support/contributions.ts";
import { eventually } from "../support/eventually.ts";
import { filmOf } from "../support/films.ts";
import { type Instance, startInstance } from "../support/medley.ts";

let instance: Instance;
let browser: Browser;
let assignment: { id: string; webUrl: string };
const pictures: Buffer[] = [];

const call = async (method: string, path: string, body?: unknown) => {
  const answered = await instance.bearer(method, `${BASE}${path}`, { ...(body !== undefined && { body }) });
  expect(answered.status, answered.text).toBe(200);
  return answered.body;
};
const listed = (): Promise<{ id: string; headline: string; mediaUsages: { media: { state: string } }[] }[]> =>
  call("GET", `/contributions?assignment=${assignment.id}`);

beforeAll(async () => {
  instance = await startInstance({ services: ["identity", "contributions"] });
  browser = await launchBrowser();
  for (const hue of [20, 140, 220])
    pictures.push(
      await sharp({ create: { width: 800, height: 500, channels: 3, background: `hsl(${hue},50%,45%)` } })
        .jpeg()
        .toBuffer(),
    );
  const cover = await call("POST", "/media", pictures[2]);
  const form = await call("POST", "/forms", {
    name: "Contact",
    heading: "How to reach you",
    fields: [
      { name: "phone", label: "Your telephone number", type: "telephone", required: true },
      { name: "again", label: "You may write to me again", type: "checkbox", description: "Once a year." },
      {
        name: "how",
        label: "How high is it?",
        type: "radio",
        options: ["To the knee", "To the waist"],
        required: true,
      },
    ],
  });
  assignment = await call("POST", "/assignments", {
    name: "The flood in pictures",
    description: "Show us how high the water stands in your street.\nPlease stay safe.",
    moderation: "before",
    allowsAnonymousContributions: true,
    callToAction: "Send us yours",
    receiptMessage: "Thank you! We look at it today.",
    cover: { media: { id: cover.id } },
    form: form.id,
  });
});
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

async function fill(
  page: Page,
  headline: string,
  files: readonly { name: string; bytes: Buffer }[],
): Promise<void> {
  await page.getByLabel("Headline").fill(headline);
  await page.getByLabel("What happened?").fill("The water is still rising.");
  await page.getByLabel("Where was it?").fill("Lyon, France");
  const asked = page.getByRole("group", { name: "How to reach you" });
  await asked.getByLabel("Your telephone number").fill("+33 4 72 00 00 00");
  await asked.getByRole("group", { name: "How high is it?" }).getByLabel("To the waist").check();
  await page
    .getByLabel("Pictures and films")
    .setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: "image/jpeg", buffer: bytes })));
  await page.getByLabel("These words and pictures are mine").check();
}
const files = (count: number) => pictures.slice(0, count).map((bytes, i) => ({ name: `${i}.jpg`, bytes }));

it.each([true, false])("takes a contribution; with script: %s", async (javaScriptEnabled) => {
  const { context, page } = await visit(browser, { javaScriptEnabled });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(assignment.webUrl);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("The flood in pictures");
  const headline = `High water, ${javaScriptEnabled ? "with" : "without"} script`;
  await fill(page, headline, files(2));
  const progress: string[] = [];
  if (javaScriptEnabled) {
    expect(await page.locator("[data-chosen] li").count()).toBe(2);
    await page.exposeFunction("noteProgress", (words: string) => progress.push(words));
    await page.evaluate(
      `new MutationObserver(([one]) => noteProgress(one.target.textContent)).observe(document.querySelector("[data-words]"), { childList: true })`,
    );
  }
  await page.getByRole("button", { name: "Send us yours" }).click();
  await page.getByText("Thank you! We look at it today.").waitFor();
  if (javaScriptEnabled) expect(progress.join("; ")).toMatch(/^Sending.*(?:% of .* sent|All is sent)/);
  const [sent] = await listed();
  expect([sent?.headline, sent?.mediaUsages.length]).toEqual([headline, 2]);
  expect(await page.getByText(headline).count()).toBe(0);
  await call("POST", `/contributions/${sent?.id}/moderate`, { action: { id: "approve" } });
  await eventually(
    async () =>
      (await listed()).every((one) => one.mediaUsages.every(({ media }) => media.state === "ready")),
    "artifacts",
  );
  await page.goto(assignment.webUrl);
  expect(await page.getByRole("heading", { level: 3, name: headline }).count()).toBe(1);
  const seen = (await page.evaluate(
    "Promise.all([...document.querySelectorAll('.gallery img')].map((one) => one.decode().then(() => one.clientWidth > 50)))",
  )) as boolean[];
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(seen).not.toContain(false);
  expect(problems).toEqual([]);
  await context.close();
});

it.each([true, false])(
  "says what is wrong and keeps what was written; with script: %s",
  async (javaScriptEnabled) => {
    const { context, page } = await visit(browser, { javaScriptEnabled });
    await page.goto(assignment.webUrl);
    const before = (await listed()).length;
    await fill(page, "Kept words", [...files(1), { name: "notes.txt", bytes: Buffer.from("no picture") }]);
    await page.getByRole("button", { name: "Send us yours" }).click();
    const told = page.getByRole("alert");
    await told.waitFor();
    expect(await told.textContent()).toContain("notes.txt");
    expect(await page.getByLabel("Headline").inputValue()).toBe("Kept words");
    expect(await page.getByLabel("Your telephone number").inputValue()).toBe("+33 4 72 00 00 00");
    expect(await page.getByLabel("To the waist").isChecked()).toBe(true);
    expect((await listed()).length).toBe(before);
    await page.getByLabel("Pictures and films").setInputFiles([]);
    await page.getByRole("button", { name: "Send us yours" }).click();
    await page.getByText("Thank you! We look at it today.").waitFor();
    expect((await listed()).length).toBe(before + 1);
    await context.close();
  },
);

it("asks for consent and for what the form needs, whatever the browser lets through", async () => {
  const send = (fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return instance.send("POST", `${BASE}/pages/${assignment.id}/contributions`, { body });
  };
  const unasked = await send({ headline: "Mine", "field:phone": "+33 4 72 00 00 00" });
  expect([unasked.status, unasked.text.includes("Please agree")]).toEqual([400, true]);
  const unreachable = await send({ headline: "Mine", consent: "yes", "field:phone": "none" });
  expect([unreachable.status, unreachable.text.includes("telephone number")]).toEqual([400, true]);
  const hostile = await send({
    headline: "<script>alert(1)</script>",
    consent: "yes",
    "field:phone": "none",
  });
  expect(hostile.text).not.toContain("<script>alert");
});

it("hides what is not for everybody", async () => {
  const closed = await call("POST", "/assignments", {
    name: "Over",
    ends: "2020-01-01T00:00:00Z",
    allowsAnonymousContributions: true,
  });
  expect((await instance.send("GET", closed.webUrl)).text).toContain(
    "It takes no contributions at this time.",
  );
  const refused = await instance.send("POST", `${BASE}/pages/${closed.id}/contributions`, {
    body: new FormData(),
  });
  expect([refused.status, refused.headers.get("content-type")]).toEqual([409, "text/html; charset=utf-8"]);
  const secret = await call("POST", "/assignments", { name: "Later", embargo: "2090-01-01T00:00:00Z" });
  for (const id of [secret.id, "asg_none"]) {
    const hidden = await instance.send("GET", `${BASE}/pages/${id}`);
    expect([hidden.status, hidden.text.includes("There is nothing here")]).toEqual([404, true]);
  }
});

it("lets one address contribute thirty times in ten minutes at the most, and no more at once than one film may have", async () => {
  const busy = await startInstance({ services: ["identity", "contributions"], contributionsMediaMb: 1 });
  const body = { name: "Busy", allowsAnonymousContributions: true };
  const { id } = (await busy.bearer("POST", `${BASE}/assignments`, { body })).body;
  const send = (...films: Buffer[]) => {
    const form = new FormData();
    form.set("headline", "Again");
    form.set("consent", "yes");
    for (const film of films) form.append("pictures", new File([new Uint8Array(film)], "film.mp4"));
    return busy.send("POST", `${BASE}/pages/${id}/contributions`, { body: form });
  };
  const film = filmOf({ pictures: Buffer.alloc(600_000) });
  for (const count of [2, 3]) {
    const large = await send(...Array<Buffer>(count).fill(film));
    expect([large.status, large.text.includes("All together they are larger than 1 MB.")]).toEqual([
      400,
      true,
    ]);
  }
  for (let time = 2; time < 30; time += 1) expect((await send()).status).toBe(303);
  const refused = await send();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
  await busy.clock.advance(11 * 60_000);
  expect((await send()).status).toBe(303);
  await busy.stop();
});

it.each(VIEWS)("is for everybody to use at %o", async (view) => {
  const { context, page } = await visit(browser, view);
  await page.goto(assignment.webUrl);
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await context.close();
});
