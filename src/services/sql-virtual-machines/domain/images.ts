/** Image offers such as `SQL2019-WS2019`: which SQL Server on which Windows Server. */
export type ImageOffer = {
  readonly sql: string;
  readonly sqlYear: number;
  readonly system: string;
  readonly systemYear: number;
};

const OFFER = /^SQL((\d{4})(?:SP\d)?)-(WS(\d{4})(?:R2)?)$/i;

/** Undefined when the text is no such offer. */
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
