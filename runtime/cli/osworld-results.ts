// Writes the episodes of an evaluation to a folder in OSWorld's layout, as they finish. It reads them from the files of the workspace.

import { mkdir, mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { messageOf, sentenceOf } from '../core/errors.ts';
import { bytesIn } from '../core/existing-file.ts';
import { trajectoryId } from '../core/ids.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { placeOf } from '../data/files/places.ts';
import { decodeTrajectory } from '../data/files/trajectory-file.ts';
import { startOf } from '../environments/pocket/getters.ts';
import type { Suite } from '../environments/suite.ts';
import { domainOf } from '../formats/domain.ts';
import { osworldFiles } from '../formats/osworld/write.ts';
import { replaceOsworldFiles } from '../formats/write-files.ts';
import type { EpisodeResult } from '../protocol/daemon/episode-result.ts';
import { picturesOf } from '../server/frames/redraw.ts';

export interface OsworldResultsOptions {
  /** The folder of the results. */
  readonly out: string;
  /** The folder of the runs. */
  readonly root: string;
  readonly agent: string;
  readonly suite: Suite;
  readonly kind: Config['environments']['kind'];
}

/** Makes the folder and writes to it: an evaluation does not start if its results cannot be written. */
export async function prepareOsworldResults(folder: string, out: string): Promise<void> {
  const path = resolve(folder, out);
  try {
    await mkdir(path, { recursive: true });
    await rmdir(await mkdtemp(join(path, '.probe-')));
  } catch (error) {
    throw new Error(
      `--out '${out}' cannot be written (${messageOf(error)}). Give a folder that this user can write to.`,
      { cause: error },
    );
  }
}

export async function writeOsworldResult(
  { trajectory: id, task, seed, outcome }: EpisodeResult,
  { out, root, agent, suite, kind }: OsworldResultsOptions,
): Promise<void> {
  // Trajectories of an evaluation belong to no run.
  const path = join(root, placeOf(trajectoryId(id), undefined));
  try {
    const bytes = outcome.kind === 'broken' ? await bytesIn(path) : await readFile(path);
    // An episode that cannot be stored counts as broken, and has no file.
    if (bytes === undefined) return;
    const trajectory = await decodeTrajectory(bytes, path);
    const domain = domainOf(suite.template(task).apps, kind);
    const pictures = picturesIn(trajectory, suite);
    await replaceOsworldFiles(out, osworldFiles({ trajectory, pictures, agent, domain }));
  } catch (error) {
    throw new Error(
      `The result of task '${task}', instance ${seed}, cannot be written to --out '${out}': ${sentenceOf(error)} The episodes so far are stored. Remove the cause, and repeat the evaluation.`,
      { cause: error },
    );
  }
}

/** Stored, or redrawn from the instance and the actions. */
function picturesIn({ frames, instance, steps, outcome }: Trajectory, suite: Suite): readonly Uint8Array[] {
  if (frames.kind === 'png') return frames.images;
  try {
    const { machine } = startOf(suite.task(instance.task, instance.seed));
    return [
      ...picturesOf(
        machine,
        steps.map(({ action }) => action),
      ),
    ].map(({ image }) => image);
  } catch (error) {
    // The cause that broke the episode, such as an instance that cannot be made, can prevent its pictures too.
    if (outcome.kind === 'broken') return [];
    throw error;
  }
}
