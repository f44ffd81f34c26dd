/** How long things live. */
export const CODE_SECONDS = 120;
export const ACCESS_TOKEN_SECONDS = 3600;
export const ID_TOKEN_SECONDS = 3600;
export const LOGOUT_TOKEN_SECONDS = 120;
export const INTERACTION_SECONDS = 1800;
export const OWNER_TOKEN_SECONDS = 3600;
/** A key set may be cached this long; far less than the day by which a new key is announced. */
export const KEY_SET_CACHE_SECONDS = 3600;
