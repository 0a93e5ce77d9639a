// A discovery for tests, with its lessons.

import { type Seed, type TaskId, taskId } from '../../runtime/core/ids.ts';
import type { Lesson } from '../../runtime/core/lesson.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { Discovery, type DiscoveryOptions } from '../../runtime/discovery/discovery.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';

export const TASKS = POCKET.tasks('train', 1);

export function discovery(options: Partial<DiscoveryOptions> = {}, seed = 'discovery') {
  const lessons: Lesson[] = [];
  const one = new Discovery({
    ...{
      suite: POCKET,
      tasks: TASKS,
      mode: 'a11y_tree',
      grounding: true,
      hindsight: true,
      analogy: true,
      novelty: false,
    },
    found: lesson => lessons.push(lesson),
    rateOf: () => undefined,
    clock: new VirtualClock(7),
    random: seeded(seed),
    ...options,
  });
  const seedOf = (task: string, index: number): [TaskId, Seed] => [taskId(task), POCKET.seed('train', index)];
  return { one, lessons, seedOf };
}
