// Reads ZIP archives of unknown origin: office files, archives of agents, downloads.

import { unzipSync } from 'fflate';

export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** An archive that unpacks to more than this is refused before it is unpacked. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

/** The files of an archive by path, without folders. */
export function readZip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  let total = 0;
  let entries = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        total += originalSize;
        entries += 1;
        if (total > MAX_UNPACKED_BYTES || entries > MAX_ENTRIES)
          throw new ZipError(
            `The archive has more than ${MAX_ENTRIES} files or ${MAX_UNPACKED_BYTES} bytes. Use a smaller one.`,
          );
        return !name.endsWith('/');
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError('The bytes are not a ZIP archive, or it is damaged.', { cause: error });
  }
}
