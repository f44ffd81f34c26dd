/** Image offers such as `SQL2019-WS2019`: versions of SQL Server and Windows Server. */
export type ImageOffer = {
  readonly sql: string;
  readonly sqlYear: number;
  readonly system: string;
  readonly systemYear: number;
};

const OFFER = /^SQL((\d{4})(?:SP\d)?)-(WS(\d{4})(?:R2)?)$/i;

/** Undefined if the text is no valid offer. */
export function parseOffer(offer: string): ImageOffer | undefined {
  const [, sql, sqlYear, system, systemYear] = OFFER.exec(offer) ?? [];
  if (!sql || !sqlYear || !system || !systemYear) return undefined;
  return {
    sql: sql.toUpperCase(),
    sqlYear: Number(sqlYear),
    system: system.toUpperCase(),
    systemYear: Number(systemYear),
  };
}
