// The files of a page: read once, served from memory, and never anything else of the disk.

import { readFile } from 'node:fs/promises';

interface Page {
  readonly type: string;
  readonly body: Uint8Array;
}

export type Pages = ReadonlyMap<string, Page>;

const filesOf = (name: string) => [
  { path: '/', file: `${name}.html`, type: 'text/html; charset=utf-8' },
  { path: `/${name}.js`, file: `${name}.js`, type: 'text/javascript; charset=utf-8' },
  { path: `/${name}.css`, file: `${name}.css`, type: 'text/css; charset=utf-8' },
  { path: '/icon.svg', file: 'icon.svg', type: 'image/svg+xml' },
];

/** The page of that name, which is what the server's root shows. */
export async function readPages(folder: URL, name: string): Promise<Pages> {
  const entries = filesOf(name).map(async ({ path, file, type }) => {
    try {
      return [path, { type, body: await readFile(new URL(file, folder)) }] as const;
    } catch (error) {
      throw new Error(`The page's ${file} is not in ${folder.pathname}: run 'npm run build'.`, {
        cause: error,
      });
    }
  });
  return new Map(await Promise.all(entries));
}

/** The page runs its own script and style, and talks to this server alone. */
export const headersFor = (host: string): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    // And the empty style by which the component library asks what the browser can do: that is the hash of ''.
    "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    "img-src 'self'",
    `connect-src ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});
