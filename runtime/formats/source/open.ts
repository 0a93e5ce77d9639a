// Opens a path that the user gave as a source of trajectories.

import { open, stat } from 'node:fs/promises';
import { isMissing } from '../../core/errors.ts';
import { openArchive } from './archive.ts';
import { openFolder, openSingleFile } from './folder.ts';
import { isCandidate, SourceError, type SourceFiles } from './source.ts';

/** The caller closes it. */
export async function openSource(path: string): Promise<SourceFiles> {
  const about = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new SourceError(`The path '${path}' does not exist. Give a folder, a .json, .jsonl or .zip file.`);
  });
  if (about.isDirectory()) return openFolder(path);
  if (!about.isFile())
    throw new SourceError(`The path '${path}' is neither a file nor a folder. Give one of these.`);
  if (isCandidate(path)) return openSingleFile(path);
  // A damaged archive is reported as one.
  if (/\.zip$/i.test(path) || (await isZip(path))) return openArchive(path);
  throw new SourceError(
    `The file '${path}' is no .json, .jsonl or .zip file. Unpack other archives, and give the folder.`,
  );
}

/** By its content: downloads often have another name. */
async function isZip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}
