// The sample run on disk: unpacked from the extension into a folder that VS Code keeps for it, away from the user's own runs.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/** The run in it; scripts/sample.mjs, which records it, names it so. */
export const SAMPLE_RUN = 'sample';
/** In its folder: of which packed file it is. */
const ORIGIN = 'origin';

/** Once; anew where an update of the extension brought another. What is half unpacked is never found. */
export async function unpackSample(packed: string, folder: string): Promise<void> {
  const bytes = await readFile(packed);
  const origin = `${SAMPLE_RUN} of ${bytes.length} bytes\n`;
  if ((await readFile(join(folder, ORIGIN), 'utf8').catch(() => '')) === origin) return;
  const unfinished = `${folder}.unfinished`;
  await deleteSample(unfinished);
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    const file = join(unfinished, ...name.split('/'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await writeFile(join(unfinished, ORIGIN), origin);
  await deleteSample(folder);
  await rename(unfinished, folder);
}

/** A daemon that has just ended may still be letting go of its files, where that hinders. */
export const deleteSample = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
