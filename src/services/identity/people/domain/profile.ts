/** The profile of a person in terms of OpenID Connect. */
export type Address = {
  readonly formatted?: string;
  readonly street_address?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postal_code?: string;
  readonly country?: string;
};
export type Profile = {
  readonly id: string;
  readonly account: string;
  readonly username: string;
  readonly name?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly nickname?: string;
  readonly picture?: string;
  readonly website?: string;
  readonly gender?: string;
  readonly birthdate?: string;
  readonly zoneinfo?: string;
  readonly locale?: string;
  readonly email?: string;
  readonly emailVerified: boolean;
  readonly phoneNumber?: string;
  readonly phoneNumberVerified: boolean;
  readonly address?: Address;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly address?: Address };
  readonly updatedAtMs: number;
};

/** The members that people edit themselves. The rest of `Profile` has its own columns. */
export type AboutMe = Omit<
  Profile,
  "id" | "account" | "username" | "email" | "emailVerified" | "phoneNumberVerified" | "updatedAtMs"
>;
