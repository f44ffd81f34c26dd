/** Security tokens over HTTP, on both databases: what is answered, refused, and restricted. */
import { expect, it } from "vitest";
import { onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";

const reader = "arn:aws:iam::111111111111:role/";
const FORM = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };

onBothDatabases(
  "security tokens",
  (instance) => {
    const call = (parameters: Record<string, string>, options: SendOptions = {}) =>
      instance().signed("sts", "POST", "/sts/", {
        ...options,
        body: String(new URLSearchParams({ Version: "2011-06-15", ...parameters })),
        headers: { ...FORM, ...options.headers },
      });
    const json = { headers: { accept: "application/json" } };
    const putRole = (name: string, body: object = {}, as: SendOptions["as"] = "first") =>
      instance().signed("sts", "PUT", `/sts/roles/${name}`, { body, as });
    const codeOf = ({ status, text }: { status: number; text: string }) => [
      status,
      /<Code>(\w+)<\/Code>/.exec(text)?.[1],
    ];

    it("answers in XML, in JSON on request, and by address", async () => {
      const xml = await call({ Action: "GetCallerIdentity" });
      expect([xml.status, xml.headers.get("content-type")]).toEqual([200, "text/xml"]);
      expect(xml.text).toMatch(
        /^<GetCallerIdentityResponse xmlns="https:\/\/sts\.amazonaws\.com\/doc\/2011-06-15\/"><GetCallerIdentityResult><Arn>arn:aws:iam::111111111111:user\/MDLYFIRST000000001<\/Arn><UserId>AIDA[A-Z0-9]{17}<\/UserId><Account>111111111111<\/Account><\/GetCallerIdentityResult><ResponseMetadata><RequestId>[-0-9a-f]{36}<\/RequestId><\/ResponseMetadata><\/GetCallerIdentityResponse>\n$/,
      );
      const asked = await call({ Action: "GetCallerIdentity" }, json);
      expect(asked.body.GetCallerIdentityResponse.GetCallerIdentityResult).toMatchObject({
        Account: "111111111111",
      });
      const path = "/sts/?Action=GetCallerIdentity&Version=2011-06-15";
      expect((await instance().signed("sts", "GET", path)).text).toContain("<Account>111111111111</Account>");
      const other = await instance().signed("sts", "GET", path, { as: "second", ...json });
      expect(other.body.GetCallerIdentityResponse.GetCallerIdentityResult.Account).toBe("222222222222");
      const token = await call({ Action: "GetSessionToken", DurationSeconds: "900" }, json);
      const { Expiration } = token.body.GetSessionTokenResponse.GetSessionTokenResult.Credentials;
      expect(Math.abs(Expiration * 1000 - instance().clock.nowMs() - 900_000)).toBeLessThan(60_000);
    });

    it("gives a role only to those whose own policies let them take it", async () => {
      for (const role of ["open", "closed"])
        expect((await putRole(role, { trustedAccounts: ["222222222222"] })).status).toBeLessThan(300);
      const everything = { effect: "Allow", actions: ["*"], resources: ["*"] };
      const denied = { effect: "Deny", actions: ["sts:AssumeRole"], resources: [`${reader}closed`] };
      const decide = (...policies: object[]) =>
        instance().bearer("PUT", "/_medley/credentials/policies", {
          body: { account: "222222222222", policies },
        });
      const take = (role: string) =>
        call(
          { Action: "AssumeRole", RoleArn: `${reader}${role}`, RoleSessionName: "visit" },
          { as: "second" },
        );
      expect((await take("closed")).status).toBe(200);
      expect((await decide(everything, denied)).status).toBe(200);
      expect([codeOf(await take("closed")), (await take("open")).status]).toEqual([
        [403, "AccessDenied"],
        200,
      ]);
      expect((await decide(everything)).status).toBe(200);
      for (const role of ["open", "closed"]) await instance().signed("sts", "DELETE", `/sts/roles/${role}`);
    });

    it("refuses in the query protocol's shape", async () => {
      const none = await instance().send("POST", "/sts/", {
        body: "Action=GetCallerIdentity",
        headers: FORM,
      });
      expect(codeOf(none)).toEqual([403, "MissingAuthenticationToken"]);
      expect(none.text).toMatch(/^<ErrorResponse xmlns="[^"]+"><Error><Type>Sender<\/Type><Code>/);
      expect(codeOf(await call({}))).toEqual([400, "MissingAction"]);
      expect(codeOf(await call({ Action: "Dance<>" }))).toEqual([400, "InvalidAction"]);
      expect((await call({ Action: "Dance<>" })).text).toContain("operation Dance&lt;&gt; for version");
      const old = { Action: "GetCallerIdentity", Version: "2010-01-01" };
      expect(codeOf(await call(old))).toEqual([400, "InvalidAction"]);
      const told = await call({ Action: "Dance" }, json);
      expect(told.body).toMatchObject({ Error: { Type: "Sender", Code: "InvalidAction" } });
    });

    it.each([
      ["a short time", { DurationSeconds: "899" }, "ValidationError"],
      ["a long time", { DurationSeconds: "43201" }, "ValidationError"],
      ["more than the role allows", { DurationSeconds: "3601" }, "ValidationError"],
      ["a time that is none", { DurationSeconds: "soon" }, "ValidationError"],
      ["a session without a name", { RoleSessionName: "" }, "ValidationError"],
      ["an ARN of something else", { RoleArn: "arn:aws:s3:::bucket/photographs" }, "ValidationError"],
      ["no JSON", { Policy: "{" }, "MalformedPolicyDocument"],
      ["a condition", policyWith({ Condition: {} }), "MalformedPolicyDocument"],
      ["another effect", policyWith({ Effect: "Perhaps" }), "MalformedPolicyDocument"],
      ["an action without a service", policyWith({ Action: "Get" }), "MalformedPolicyDocument"],
      ["no resource", policyWith({ Resource: undefined }), "MalformedPolicyDocument"],
      ["a managed policy", { "PolicyArns.member.1.arn": "arn:aws:iam::aws:policy/A" }, "ValidationError"],
      [
        "a device",
        { SerialNumber: "arn:aws:iam::111111111111:mfa/x", TokenCode: "123456" },
        "ValidationError",
      ],
    ])("refuses to assume a role with %s", async (_what, parameters, code) => {
      await putRole("strict");
      const given = {
        Action: "AssumeRole",
        RoleArn: `${reader}strict`,
        RoleSessionName: "test",
        ...parameters,
      };
      expect(codeOf(await call(given))).toEqual([400, code]);
      const query = String(new URLSearchParams({ ...given, Version: "2011-06-15" }));
      expect(codeOf(await instance().signed("sts", "GET", `/sts/?${query}`))).toEqual([400, code]);
    });
    it.each([
      ["899", 400],
      ["900", 200],
      ["129600", 200],
      ["129601", 400],
    ])("GetSessionToken for %s seconds: %i", async (DurationSeconds, status) => {
      expect((await call({ Action: "GetSessionToken", DurationSeconds })).status).toBe(status);
    });

    it.each([
      [2027, 99],
      [2028, 100],
      [2048, 100],
    ])("a policy of %i characters takes %i percent of the room", async (length, percent) => {
      await putRole("packed");
      const { Policy } = policyWith({});
      const given = { Action: "AssumeRole", RoleArn: `${reader}packed`, RoleSessionName: "test" };
      const { body } = await call({ ...given, Policy: Policy.padEnd(length) }, json);
      expect(body.AssumeRoleResponse.AssumeRoleResult.PackedPolicySize).toBe(percent);
    });

    it("keeps roles, for their account alone", async () => {
      const policy = { Statement: [{ Effect: "Allow", Action: "backup:List*", Resource: "*" }] };
      const made = await putRole("kept", { description: "one", policy, maxSessionDuration: 7200 });
      expect([made.status, made.body]).toEqual([
        201,
        {
          name: "kept",
          arn: `${reader}kept`,
          description: "one",
          policy,
          trustedAccounts: [],
          maxSessionDuration: 7200,
          createdAt: expect.any(String),
          updatedAt: made.body.createdAt,
        },
      ]);
      expect((await putRole("kept", { description: "two" })).status).toBe(200);
      const read = await instance().signed("sts", "GET", "/sts/roles/kept");
      expect([read.body.description, read.body.policy]).toEqual(["two", undefined]);
      for (const method of ["GET", "DELETE"])
        expect(codeOf(await instance().signed("sts", method, "/sts/roles/kept", { as: "second" }))).toEqual([
          404,
          "NoSuchEntity",
        ]);
      const bad = await putRole("bad", {
        policy: { Statement: [{ ...policy.Statement[0], NotAction: "x:y" }] },
      });
      expect(codeOf(bad)).toEqual([400, "MalformedPolicyDocument"]);
      const first = await instance().signed("sts", "GET", "/sts/roles?size=1");
      const rest = await instance().signed(
        "sts",
        "GET",
        `/sts/roles?next=${encodeURIComponent(first.body.next)}`,
      );
      const names = [...first.body.roles, ...rest.body.roles].map(({ name }: { name: string }) => name);
      expect(names).toEqual([...names].sort());
      expect(names).toContain("kept");
      expect((await instance().signed("sts", "GET", "/sts/roles", { as: "second" })).body.roles).toEqual([]);
      expect((await instance().signed("sts", "DELETE", "/sts/roles/kept")).status).toBe(204);
    });

    it("lets another account in where the role trusts it, with its external id", async () => {
      await putRole("shared", { trustedAccounts: ["222222222222"], externalId: "order-1" });
      const assume = (more: Record<string, string>, as: SendOptions["as"] = "second") =>
        call({ Action: "AssumeRole", RoleArn: `${reader}shared`, RoleSessionName: "visit", ...more }, { as });
      expect(codeOf(await assume({}))).toEqual([403, "AccessDenied"]);
      expect(codeOf(await assume({ ExternalId: "order-2" }))).toEqual([403, "AccessDenied"]);
      expect((await assume({ ExternalId: "order-1" })).text).toContain(
        "<Arn>arn:aws:sts::111111111111:assumed-role/shared/visit</Arn>",
      );
      await putRole("own");
      const refused = await assume({ RoleArn: `${reader}own` });
      expect(codeOf(refused)).toEqual([403, "AccessDenied"]);
      const missing = await assume({ RoleArn: `${reader}none` });
      expect(missing.text.replace(/none|own|<RequestId>.*/g, "")).toBe(
        refused.text.replace(/none|own|<RequestId>.*/g, ""),
      );
    });
  },
  { services: ["security-tokens"] },
);

function policyWith(changes: object): { Policy: string } {
  const statement = { Effect: "Allow", Action: "backup:*", Resource: "*", ...changes };
  return { Policy: JSON.stringify({ Version: "2012-10-17", Statement: statement }) };
}
