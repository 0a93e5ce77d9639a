// The epochs in which the runs of a workspace used a broker. A daemon that is killed leaves their streams, which reserve room in the broker for
// ever, and its blobs on the disk: the next start of any run of the workspace removes them, also the streams of a run that was deleted since. A
// copy of the folder is another workspace, whose original may be running.

import { access, appendFile, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { isMissing } from '../../core/errors.ts';
import { textIn } from '../../core/existing-file.ts';
import { type RunId, runId } from '../../core/ids.ts';
import { parsedJson } from '../../core/json.ts';
import { thisProcess } from '../../core/process-identity.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { OWNER_ONLY_FILE } from '../../data/files/places.ts';
import type { EpochOfRun } from '../../fabric/nats/names.ts';
import type { RunFolders } from '../folders/run-folders.ts';

/** Beside the folders of the runs: a line of JSON per epoch. Earlier versions wrote one into the folder of each run. */
const EPOCHS_FILE = 'epochs.jsonl';
/** In the folder of a run. */
export const BLOBS = 'blobs';

const recorded = z.object({
  epoch: z.string().regex(/^[0-9a-f]{8}$/),
  /** The machine, and the folder of the run there. */
  place: z.string(),
  folder: z.string(),
});

/** Before the first stream of the epoch exists. */
export async function recordEpoch(folder: string, epoch: string, place = thisProcess().place): Promise<void> {
  const line = { epoch, place, folder: resolve(folder) } satisfies z.infer<typeof recorded>;
  // An earlier line may be incomplete, so each begins a line of its own.
  const text = `\n${JSON.stringify(line)}\n`;
  await appendFile(join(dirname(folder), EPOCHS_FILE), text, { mode: OWNER_ONLY_FILE });
}

/** The recorded epochs of all runs of this workspace that no process has, and those of `starting`, a run whose lock this process holds. */
export async function abandonedEpochs(
  folders: Pick<RunFolders, 'root' | 'unheld' | 'path' | 'isLive'>,
  starting: RunId,
  place = thisProcess().place,
): Promise<readonly EpochOfRun[]> {
  const older = [...(await folders.unheld()), starting].map(run => folders.path(run));
  const found: EpochOfRun[] = [];
  for (const folder of [folders.root, ...older])
    for (const of of await epochsIn(join(folder, EPOCHS_FILE))) {
      const run = runIn(of.folder);
      if (run === undefined || of.place !== place) continue;
      // A folder that was moved takes its epochs along.
      const isOwn = of.folder === resolve(folders.path(run)) || !(await isThere(of.folder));
      if (isOwn && (run === starting || !(await folders.isLive(run)))) found.push({ run, epoch: of.epoch });
    }
  return found;
}

/** Calls `failed` with the error for each folder that cannot be removed. */
export async function removeAbandonedBlobs(
  folders: Pick<RunFolders, 'path'>,
  abandoned: readonly EpochOfRun[],
  failed: (error: unknown) => void,
): Promise<void> {
  for (const run of new Set(abandoned.map(each => each.run)))
    await rm(join(folders.path(run), BLOBS), { recursive: true, force: true }).catch(failed);
}

/** A file that cannot be read must not stop another run. */
async function epochsIn(file: string): Promise<readonly z.infer<typeof recorded>[]> {
  const text = (await textIn(file).catch(() => undefined)) ?? '';
  return text.split('\n').flatMap(line => safeParse(recorded, parsedJson(line)).data ?? []);
}

/** A folder that cannot be read counts as there: somebody else may use it. */
const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    error => !isMissing(error),
  );

function runIn(folder: string): RunId | undefined {
  try {
    return runId(basename(folder));
  } catch {
    return undefined;
  }
}
