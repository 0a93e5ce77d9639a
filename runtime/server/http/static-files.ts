// The files of a page: read once and served from memory. Nothing else of the disk is served.

import { readFile } from 'node:fs/promises';

interface PageFile {
  readonly type: string;
  readonly body: Uint8Array;
}

export type Pages = ReadonlyMap<string, PageFile>;

const filesOf = (name: string) => [
  { path: '/', file: `${name}.html`, type: 'text/html; charset=utf-8' },
  { path: `/${name}.js`, file: `${name}.js`, type: 'text/javascript; charset=utf-8' },
  { path: `/${name}.css`, file: `${name}.css`, type: 'text/css; charset=utf-8' },
  { path: '/icon.svg', file: 'icon.svg', type: 'image/svg+xml' },
];

/** The page with this name, which the root of the server shows. */
export async function readPages(folder: URL, name: string): Promise<Pages> {
  const entries = filesOf(name).map(async ({ path, file, type }) => {
    try {
      return [path, { type, body: await readFile(new URL(file, folder)) }] as const;
    } catch (error) {
      throw new Error(`The page file ${file} is missing in ${folder.pathname}. Run 'npm run build'.`, {
        cause: error,
      });
    }
  });
  return new Map(await Promise.all(entries));
}

/** The page may run its own script and style, and connect to this server only. */
export const headersFor = (host: string): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    // The hash is that of '': the component library tests the browser's features with an empty style.
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
