/** Names of resources in both spellings. */
import { describe, expect, it } from "vitest";
import { arnOf, makersName, neutralName, parseArn, parseOwnArn } from "./arn.ts";
import { defineMakersSpelling } from "./makers-spelling.ts";

describe("resource names", () => {
  it("are made and taken apart", () => {
    const parts = {
      service: "storage",
      region: "us-east-1",
      account: "111111111111",
      resource: "bucket/a:b/c",
    };
    expect(parseArn(arnOf(parts))).toEqual({ partition: "vendor", ...parts });
    expect(parseArn("arn:vendor:storage:us-east-1")).toBeUndefined();
    expect(parseArn("no name at all")).toBeUndefined();
  });
  it.each([
    ["arn:aws:s3:::photos", "arn:vendor:s3:::photos"],
    ["arn:aws-cn:s3:::photos", "arn:vendor-cn:s3:::photos"],
    ["AWS::EC2::Host", "Vendor::EC2::Host"],
  ])("%s is %s in the neutral spelling, and back", (makers, neutral) => {
    expect(neutralName(makers)).toBe(neutral);
    expect(makersName(neutral)).toBe(makers);
  });
  it.each([
    ["arn:vendor:s3:::photos", true],
    ["arn:aws:s3:::photos", true],
    ["arn:vendor-cn:s3:::photos", false],
    ["arn:aws-cn:s3:::photos", false],
    ["arn:other:s3:::photos", false],
    ["arn:VENDOR:s3:::photos", false],
    ["photos", false],
  ])("%s names something here: %s", (name, isOwn) => {
    expect(parseOwnArn(name) !== undefined).toBe(isOwn);
  });
  it.each(["arn:awsome:x:::y", "see arn:aws:s3:::photos", "AWS", ""])("%j is left as it is", (text) => {
    expect(neutralName(text)).toBe(text);
  });
});

describe("the maker's spelling", () => {
  const dialect = defineMakersSpelling({
    name: "makers",
    names: ["Arn", "Arns"],
    sentences: ["Message"],
    values: { Type: { OLD_WORD: "WORD" } },
    verbatim: ["Tags"],
  });
  const request = (change: Partial<Parameters<typeof dialect.detect>[0]>) =>
    dialect.detect({ path: "/x", headers: {}, rawQuery: "", ...change });

  it("is known by the client's own header and by names in the address", () => {
    expect(request({})).toBe(false);
    expect(request({ headers: { "user-agent": "curl/8" } })).toBe(false);
    expect(request({ headers: { "amz-sdk-invocation-id": "1" } })).toBe(true);
    expect(request({ headers: { "user-agent": "Boto3/1.40" } })).toBe(true);
    expect(request({ path: "/resources/arn%3Aaws%3Ax/tags" })).toBe(true);
    expect(request({ rawQuery: "resourceArn=arn:aws:x" })).toBe(true);
  });
  it("is known by a name in the body, but not by one inside tags or other members", () => {
    expect(dialect.detectBody({ Arns: ["arn:aws:x:::y"] })).toBe(true);
    expect(dialect.detectBody({ Type: "OLD_WORD" })).toBe(true);
    expect(dialect.detectBody({ Tags: { Arn: "arn:aws:x:::y" }, Note: "arn:aws:x:::y" })).toBe(false);
  });
  it("respells what it should, both ways, and nothing else", () => {
    const makers = {
      Arn: "arn:aws:x:::y",
      Inner: [{ Type: "OLD_WORD", Arns: ["arn:aws:x:::z", "plain"] }, { Type: "AWS::X::Y" }],
      Message: "There is no arn:aws:x:::y of type AWS::X::Y.",
      Tags: { Arn: "arn:aws:x:::y" },
      Note: "arn:aws:x:::y",
    };
    const neutral = dialect.neutralBody("any", makers);
    expect(neutral).toEqual({
      Arn: "arn:vendor:x:::y",
      Inner: [{ Type: "WORD", Arns: ["arn:vendor:x:::z", "plain"] }, { Type: "Vendor::X::Y" }],
      Message: "There is no arn:vendor:x:::y of type Vendor::X::Y.",
      Tags: { Arn: "arn:aws:x:::y" },
      Note: "arn:aws:x:::y",
    });
    expect(dialect.makersBody("any", 200, neutral)).toEqual(makers);
    expect(dialect.neutralPath("/resources/arn%3Aaws%3Ax/tags")).toBe("/resources/arn%3Avendor%3Ax/tags");
  });
});
