/** The setting that this service adds: the carrier that calls go to. */
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

const SIP_PORT = 5060;

/** A SIP peer. */
export type CarrierSettings = {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  /** The number that calls come from when nobody says another. */
  readonly from?: string;
};

function readCarrier(text: string): CarrierSettings {
  const spelt = text.replace(/^sip:(?!\/\/)/, "sip://");
  const url = URL.canParse(spelt) ? new URL(spelt) : undefined;
  if (url?.protocol !== "sip:" || url.hostname === "")
    throw new ConfigError(`"${text}" is not a sip:host:port address`);
  const from = url.searchParams.get("from");
  return {
    host: url.hostname,
    port: Number(url.port || SIP_PORT),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(from && { from }),
  };
}

export const carrier: Setting<CarrierSettings> = {
  flag: "carrier",
  key: "carrier",
  read: readCarrier,
  help: "sip:user:password@host:port that voice calls go to",
};
export const findCarrier = (config: Config): CarrierSettings | undefined => settingOf(config, carrier);
