// The epochs in which a run used a broker, recorded in its folder. A daemon that is killed leaves their streams, which reserve room in the broker
// for ever: the next start of any run of the workspace removes them. A copy of the folder is another workspace, whose original may be running.

import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { textIn } from '../../core/existing-file.ts';
import { parsedJson } from '../../core/json.ts';
import { thisProcess } from '../../core/process-identity.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { OWNER_ONLY_FILE } from '../../data/files/places.ts';
import type { EpochOfRun } from '../../fabric/nats/names.ts';
import type { RunFolders } from '../folders/run-folders.ts';

/** In the folder of the run: a line of JSON per epoch. */
const EPOCHS_FILE = 'epochs.jsonl';

const recorded = z.object({
  epoch: z.string().regex(/^[0-9a-f]{8}$/),
  /** The machine, and the folder of the run there. */
  place: z.string(),
  folder: z.string(),
});

/** Before the first stream of the epoch exists. */
export async function recordEpoch(folder: string, epoch: string, place = thisProcess().place): Promise<void> {
  const line = { epoch, place, folder: resolve(folder) } satisfies z.infer<typeof recorded>;
  await appendFile(join(folder, EPOCHS_FILE), `${JSON.stringify(line)}\n`, { mode: OWNER_ONLY_FILE });
}

/** The epochs of all runs of this workspace that no process has. */
export async function abandonedEpochs(
  folders: Pick<RunFolders, 'unheld' | 'path'>,
  place = thisProcess().place,
): Promise<readonly EpochOfRun[]> {
  const found: EpochOfRun[] = [];
  for (const run of await folders.unheld()) {
    const folder = folders.path(run);
    // A file that cannot be read must not stop another run.
    const text = (await textIn(join(folder, EPOCHS_FILE)).catch(() => undefined)) ?? '';
    for (const line of text.split('\n')) {
      const of = safeParse(recorded, parsedJson(line)).data;
      if (of?.place === place && of.folder === resolve(folder)) found.push({ run, epoch: of.epoch });
    }
  }
  return found;
}
