/** Messages between the main thread and the thread that reads `.lu` text. */
export type LuText = { readonly source: string };
