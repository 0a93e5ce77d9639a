// What `dartboard train` does: a policy learns the pocket desktop's tasks, in the sight of whoever started it.

import { relative } from 'node:path';
import type { Mode } from './contracts/policy.ts';
import { systemClock } from './daemon/clock.ts';
import {
  CURVE_FILE,
  LOG_FILE,
  RECIPE_FILE,
  RunFolder,
  runName,
  WEIGHTS_FILE,
} from './daemon/learn/keep/run-folder.ts';
import { recipeFor, SCRATCH, TAUGHT } from './daemon/learn/recipe.ts';
import { Session } from './daemon/learn/session.ts';
import { summary } from './daemon/learn/terminal/report.ts';
import { Watch } from './daemon/learn/terminal/watch.ts';
import type { Output } from './daemon/terminal/output.ts';
import { POCKET } from './environments/pocket/tasks/suite.ts';
import type { Tier } from './environments/pocket/tasks/template.ts';
import { COMPACT } from './policy/network.ts';

export interface Train {
  /** The bundled entries of the two processes. */
  readonly entries: { readonly player: URL; readonly student: URL };
  readonly tiers: readonly Tier[];
  readonly minutes: number;
  readonly seed: string;
  readonly mode: Mode;
  readonly demonstrations: number;
  /** Undefined for a folder of its own among the workspace's runs. */
  readonly out: string | undefined;
  /** How this program is called in a terminal. */
  readonly program: string;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
}

export async function train(options: Train): Promise<void> {
  const { entries, tiers, minutes, seed, mode, demonstrations, out, program, output, environment, stop } =
    options;
  const tasks = tiers.flatMap(tier => POCKET.tasks('train', tier));
  const seconds = 60 * minutes;
  const folder =
    out === undefined ? await RunFolder.listed(runName(new Date(), seed)) : await RunFolder.chosen(out);
  const shape = { ...COMPACT, pixels: mode !== 'a11y_tree' };
  const recipe = recipeFor(demonstrations > 0 ? TAUGHT : SCRATCH, seconds);
  const training = { entries, tasks, mode, shape, recipe, seed };
  await folder.keepJson(RECIPE_FILE, { tiers, minutes, seed, mode, demonstrations, shape, recipe });

  const about = [
    `${tiers.length > 1 ? 'tiers' : 'tier'} ${tiers.join(', ')}`,
    `${tasks.length} tasks`,
    `seed ${seed}`,
  ];
  const watch = new Watch(output, environment, systemClock, {
    about,
    doing: 'starting',
    seconds: 0,
    of: seconds,
    curve: [],
    counts: undefined,
  });
  stop.addEventListener('abort', () => watch.doing('stopping'));
  // However it ends, the terminal has its cursor back.
  const broken = () => watch.end('broken');
  process.once('exit', broken);
  const session = { training, tiers, seconds, demonstrations };
  const trained = await Session.run(session, folder, watch, systemClock, stop).catch(error => {
    broken();
    throw error;
  });
  process.off('exit', broken);
  watch.end();

  const path = relative('', folder.path);
  const shown = path === '' ? '.' : path.startsWith('..') ? folder.path : path;
  const weights = out === undefined ? '' : ` --weights ${shown}`;
  const lines = summary(
    {
      seconds: trained.seconds,
      of: seconds,
      test: trained.test.tasks,
      train: trained.train.tasks,
      folder: shown,
      files: [
        { name: WEIGHTS_FILE, what: 'the policy' },
        { name: CURVE_FILE, what: 'success over time, as a picture' },
        { name: LOG_FILE, what: 'all that was counted, second by second' },
      ],
      next: [
        { name: `${program} run${weights}`, what: 'watch it try a task' },
        { name: `${program} eval${weights} --split unseen`, what: 'new kinds of tasks' },
        { name: `${program} train --tier 1,2 --minutes 20`, what: 'learn more' },
      ],
    },
    watch.width,
  );
  watch.say(...lines);
}
