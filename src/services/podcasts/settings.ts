/** Settings of this service. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

/** A folder of feeds, and the account that owns its podcasts. */
export type WatchedFolder = { readonly account: string; readonly path: string };

function readFolder(text: string): WatchedFolder {
  const [, account, path] = /^(\d{12})=(.+)$/.exec(text) ?? [];
  if (account === undefined || path === undefined)
    throw new ConfigError(`"${text}" is no account and folder, such as 123456789012=/srv/feeds`);
  return { account, path };
}
const folder: Setting<WatchedFolder> = {
  flag: "podcasts-folder",
  key: "podcastsFolder",
  read: readFolder,
  help: "ACCOUNT=FOLDER: a folder of feeds whose changes are read every minute",
};
export const settings = [folder];
export const watchedFolderOf = (config: Config): WatchedFolder | undefined => settingOf(config, folder);
