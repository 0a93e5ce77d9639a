// Which hosts the pages of a context may reach. Pure.

/** Ports of 'http:' and 'https:', which addresses leave out. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
};

/**
 * An entry is a host ('example.org', '127.0.0.1'), a host with a port ('localhost:8080'), or all hosts below a domain
 * ('*.example.org'). Without a port it allows every port.
 */
export function isAllowedHost(entries: readonly string[], host: string, port: string): boolean {
  const name = normalHost(host);
  return entries.some(entry => {
    const { host: pattern, port: onlyPort } = splitHost(entry);
    if (onlyPort !== undefined && onlyPort !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

/** `localhost:80` in parts; IPv6 addresses are in brackets. */
export function splitHost(text: string): { readonly host: string; readonly port: string | undefined } {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { host: normalHost(host), port };
}

export const normalHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');

export const portOf = (url: URL): string => url.port || (DEFAULT_PORTS[url.protocol] ?? '');
