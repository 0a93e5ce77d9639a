// Writes the ZIP archives of cases: equal files give equal bytes in every time zone.

import { strToU8, zipSync } from 'fflate';

/** The library writes the local time, so this is the same local time everywhere. */
const WRITTEN = new Date(2026, 0, 1);

export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { mtime: WRITTEN },
  );
