// The address with which a host joins a run: the daemon's server for hosts, a token, and the authority of its certificate if no public one
// signed it. Token and authority follow a '#', which no program sends in a request.

/** The SHA-256 of the authority's certificate, in hexadecimal digits. */
export interface JoinAddress {
  /** Without a path. */
  readonly url: string;
  readonly token: string;
  readonly authority?: string;
}

const PATTERN = /^(https?:\/\/[^/#?]+)\/?#([A-Za-z0-9_-]{16,})(?:\.([0-9a-f]{64}))?$/;

export const joinAddressText = ({ url, token, authority }: JoinAddress): string =>
  `${url}/#${token}${authority === undefined ? '' : `.${authority}`}`;

/** Throws a RangeError, which repeats the address without its token. */
export function parseJoinAddress(text: string): JoinAddress {
  const [, url, token, authority] = PATTERN.exec(text.trim()) ?? [];
  if (url === undefined || token === undefined || !URL.canParse(url))
    throw new RangeError(
      `'${text.trim().split('#')[0]}' is not a join address. A join address has the form URL#TOKEN. Copy all of the address that the daemon prints as 'dartboard join', and put it in quotes because of its #.`,
    );
  return { url, token, ...(authority !== undefined && { authority }) };
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, as in the settings; an IPv6 address is in brackets. Port 0 takes any free one. */
export function parseListen(text: string, option: string): ListenAddress {
  const [, host, port] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new RangeError(
      `${option} is not an address with a port: ${JSON.stringify(text)}. Write it as 192.168.1.5:7422, with an address of this machine.`,
    );
  return { host: withoutBrackets(host), port: Number(port) };
}

/** A URL has an IPv6 address in brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** In a URL. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Listening there accepts connections to every address of this machine. */
export const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
