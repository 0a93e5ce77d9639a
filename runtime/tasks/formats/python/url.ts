// Splits and joins addresses as Python's `urllib.parse` does. It keeps more of the text than the class URL, and rejects less.

import { isIPv6 } from 'node:net';

export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly parameters: string;
  readonly query: string;
  readonly fragment: string;
}

const WITH_PARAMETERS = new Set(
  ' ftp hdl prospero http imap https shttp rtsp rtsps rtspu sip sips mms sftp tel'.split(' '),
);
const WITH_HOST = new Set(
  (
    ' ftp http gopher nntp telnet imap wais file mms https shttp snews prospero rtsp rtsps rtspu rsync svn svn+ssh ' +
    'sftp nfs git git+ssh ws wss'
  ).split(' '),
);

/** The parts of an address; undefined where Python rejects its host. */
export function splitUrl(address: string): UrlParts | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Python strips control characters.
  let rest = address.replace(/^[\x00-\x20]+/, '').replace(/[\t\r\n]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(rest)?.[1] ?? '';
  if (scheme !== '') rest = rest.slice(scheme.length + 1);
  let host = '';
  if (rest.startsWith('//')) {
    host = /^[^/?#]*/.exec(rest.slice(2))?.[0] ?? '';
    rest = rest.slice(2 + host.length);
  }
  if (!isHost(host)) return undefined;
  const [beforeFragment, fragment] = cut(rest, '#');
  const [beforeQuery, query] = cut(beforeFragment, '?');
  const lower = scheme.toLowerCase();
  const [path, parameters] = WITH_PARAMETERS.has(lower) ? cutParameters(beforeQuery) : [beforeQuery, ''];
  return { scheme: lower, host, path, parameters, query, fragment };
}

function isHost(host: string): boolean {
  const [opens, closes] = [host.includes('['), host.includes(']')];
  if (opens !== closes) return false;
  if (opens) {
    const inside = cut(cut(host, '[')[1], ']')[0];
    return inside.startsWith('v') ? /^v[a-f0-9]+\..+$/i.test(inside) : isIPv6(inside);
  }
  // A character whose compatibility form contains a delimiter would move the end of the host.
  const plain = host.replace(/[@:#?]/g, '');
  const normal = plain.normalize('NFKC');
  return normal === plain || !/[/?#@:]/.test(normal);
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

function cutParameters(path: string): readonly [path: string, parameters: string] {
  const index = path.indexOf(';', Math.max(0, path.lastIndexOf('/')));
  return index < 0 ? [path, ''] : [path.slice(0, index), path.slice(index + 1)];
}

export function joinUrl({ scheme, host, path, parameters, query, fragment }: UrlParts): string {
  let url = parameters === '' ? path : `${path};${parameters}`;
  if (host !== '' || (scheme !== '' && WITH_HOST.has(scheme) && !url.startsWith('//'))) {
    if (url !== '' && !url.startsWith('/')) url = `/${url}`;
    url = `//${host}${url}`;
  }
  if (scheme !== '') url = `${scheme}:${url}`;
  if (query !== '') url = `${url}?${query}`;
  return fragment === '' ? url : `${url}#${fragment}`;
}
