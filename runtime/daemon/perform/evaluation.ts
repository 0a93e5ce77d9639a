// How well a policy does: every task of a split on as many instances as asked, each played once with the likeliest choices.

import { desktopId, type TaskId } from '../../contracts/ids.ts';
import type { Mode } from '../../contracts/policy.ts';
import { stepLimit } from '../../contracts/task.ts';
import { isSuccess } from '../../contracts/verdict.ts';
import type { Random } from '../../contracts/world.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import type { Split, Suite } from '../../environments/pocket/tasks/suite.ts';
import type { Session } from '../../graph/session.ts';
import { Actor } from '../../rollout/actor.ts';
import type { EpisodeOptions } from '../../rollout/episode.ts';

interface Result {
  readonly task: TaskId;
  readonly success: boolean;
}

interface EvaluationOptions {
  readonly suite: Suite;
  readonly tasks: readonly TaskId[];
  readonly split: Split;
  /** Instances of each task, from the first of the split on. */
  readonly instances: number;
  readonly mode: Mode;
  readonly pixels: boolean;
  readonly random: Random;
  readonly desktops?: number;
}

export async function evaluatePolicy(
  session: Session,
  options: EvaluationOptions,
): Promise<readonly Result[]> {
  const { suite, tasks, split, instances, mode, pixels, random, desktops: count = 32 } = options;
  const orders = tasks.flatMap(id =>
    Array.from({ length: instances }, (_, index) => {
      const seed = suite.seed(split, index);
      const task = suite.task(id, seed);
      return { task, seed, mode, maxSteps: stepLimit(task) };
    }),
  );
  const desktops = Array.from({ length: count }, (_, index) => new PocketDesktop(desktopId(`e${index}`)));
  const actor = new Actor<EpisodeOptions>(
    desktops,
    session,
    { temperature: 0, exploration: 0, pixels },
    random,
  );
  const results: Result[] = [];
  let next = 0;
  while (results.length < orders.length) {
    for (const { ended, order } of await actor.tick(() => orders[next++]))
      results.push({ task: order.task.id, success: isSuccess({ kind: 'judged', ...ended }) });
  }
  return results;
}
