// The files of a folder that pages see under a host name.

import { readFile, realpath } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, sep } from 'node:path';

export interface ServedFile {
  readonly status: 200 | 404;
  readonly type: string;
  readonly body: Uint8Array;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
};
const UNKNOWN_TYPE = 'application/octet-stream';

const NOT_FOUND: ServedFile = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: Buffer.from('The folder has no such file.\n'),
};

/** `path` begins with '/', is percent-encoded and has no query. A folder is answered with its `index.html`. */
export async function servedFile(folder: string, path: string): Promise<ServedFile> {
  const name = decodedPath(path);
  if (name === undefined) return NOT_FOUND;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, name.endsWith('/') ? `${name}index.html` : name));
    // A link in the folder must not lead out of it.
    if (!isWithin(root, file)) return NOT_FOUND;
    return {
      status: 200,
      type: TYPES[extname(file).toLowerCase()] ?? UNKNOWN_TYPE,
      body: await readFile(file),
    };
  } catch {
    // Missing, a folder, or not readable.
    return NOT_FOUND;
  }
}

function decodedPath(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path);
    return name.includes('\0') ? undefined : name;
  } catch {
    return undefined;
  }
}

/** Both are real paths. */
export function isWithin(root: string, file: string): boolean {
  const path = relative(root, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
