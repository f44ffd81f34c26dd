/** The claims that scopes open. */
import { describe, expect, it } from "vitest";
import type { Profile } from "../../people/index.ts";
import { claimsOf } from "./claims.ts";

const person: Profile = {
  id: "user_1",
  account: "111111111111",
  username: "ann",
  name: "Ann Example",
  givenName: "Ann",
  familyName: "Example",
  email: "ann@example.org",
  emailVerified: true,
  phoneNumber: "+4930123456",
  phoneNumberVerified: false,
  address: { street_address: "Lane 1", postal_code: "10115", locality: "Berlin", country: "DE" },
  location: { latitude: 52.5, longitude: 13.4 },
  updatedAtMs: 1_700_000_000_500,
};
const name = { name: "Ann Example", given_name: "Ann", family_name: "Example" };

describe("claims by scope", () => {
  it.each([
    ["openid", {}],
    ["profile", { ...name, preferred_username: "ann", updated_at: 1_700_000_000 }],
    ["email", { email: "ann@example.org", email_verified: true }],
    ["phone", { phone_number: "+4930123456", phone_number_verified: false }],
    ["address", { address: { ...person.address, formatted: "Lane 1\n10115 Berlin\nDE" } }],
    ["vendor:name", name],
    ["aq:name", name],
    ["vendor:location", { "vendor:location": person.location }],
    ["aq:location", { "aq:location": person.location }],
    ["aq:push", {}],
    ["toString", {}],
  ])("%s", (scope, claims) => {
    expect(claimsOf(person, [scope])).toEqual(claims);
  });
  it("says nothing about what is not known", () => {
    const { email: _email, phoneNumber: _phone, address: _address, location: _location, ...rest } = person;
    expect(claimsOf(rest, ["email", "phone", "address", "aq:location"])).toEqual({});
  });
});
