// Fills a workspace with trajectories of pocket tasks, solved by their scripts so that their screens can be drawn. The decisions of
// each step are random numbers from a seed.

import type { Action } from '../../core/action.ts';
import { groupId, type Seed, type TaskId, trajectoryId, version } from '../../core/ids.ts';
import { type Random, seeded } from '../../core/rng.ts';
import type { Step } from '../../core/step.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { TrajectoryStore } from '../../data/store.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import { POCKET, solutionOf } from '../../environments/pocket/tasks/suite.ts';

/** Different task instances; further trajectories repeat them with other names and results. */
const INSTANCES = 256;
const GROUP = 8;
/** Concurrent writes. */
const CONCURRENT = 256;
const START_MS = Date.UTC(2026, 0, 1);

interface SolvedInstance {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly instruction: string;
  readonly steps: readonly Step[];
}

export async function fillWorkspace(root: string, indexEntry: URL, count: number): Promise<void> {
  const notice = (message: string): never => {
    throw new Error(message);
  };
  const store = await TrajectoryStore.open({ root, indexEntry, clock: systemClock, notice });
  const random = seeded('panels');
  const instances = Array.from({ length: INSTANCES }, (_, index) => solve(index, random));
  let next = 0;
  const filling = Array.from({ length: CONCURRENT }, async () => {
    while (next < count) {
      const number = next;
      next += 1;
      const instance = instances[Math.floor(number / GROUP) % INSTANCES];
      if (instance !== undefined) await store.ingest(trajectoryOf(random, instance, number));
    }
  });
  await Promise.all(filling);
  await store.close();
}

function solve(index: number, random: Random): SolvedInstance {
  const tasks = POCKET.tasks('train');
  const task = tasks[index % tasks.length];
  if (task === undefined) throw new RangeError('The pocket suite has no training tasks.');
  const seed = POCKET.seed('train', Math.floor(index / tasks.length));
  const specification = POCKET.task(task, seed);
  const { actions, ending } = solutionOf(POCKET, specification, seed);
  const last: Action = ending === 'fail' ? { kind: 'fail', why: '' } : { kind: 'finished', answer: '' };
  const steps = [...actions, last].map((action): Step => {
    const isPointing = 'at' in action;
    const box = isPointing ? { x: action.at.x - 20, y: action.at.y - 8, width: 40, height: 16 } : undefined;
    const pointer = (choice: number) => ({
      ...{ head: 'pointer' as const, choice, choices: 60, logProbability: Math.log(0.6), entropy: 1.4 },
      alternatives: Array.from({ length: 5 }, (_, other) => ({
        ...{ choice: other, logProbability: -0.5 - other, label: `button “Choice ${other}”` },
        ...(box !== undefined && { box: { ...box, x: box.x + 30 * other } }),
      })),
    });
    const kind = {
      ...{ head: 'kind' as const, choice: 0, choices: 9, logProbability: -0.2, entropy: random.next() },
      alternatives: [{ choice: 0, logProbability: -0.2, label: action.kind }],
    };
    return {
      action,
      meant: box === undefined ? [] : [{ kind: 'element', index: 0, box }],
      chosen: { version: version(index), decisions: isPointing ? [kind, pointer(0)] : [kind] },
    };
  });
  return { task, seed, instruction: specification.instruction, steps };
}

function trajectoryOf(
  random: Random,
  { task, seed, instruction, steps }: SolvedInstance,
  number: number,
): Trajectory {
  const at = START_MS + 1000 * number;
  const isSolved = random.next() < 0.6;
  return {
    id: trajectoryId(`panels-${String(number).padStart(6, '0')}`),
    group: groupId(`group-${Math.floor(number / GROUP)}`),
    instance: { task, seed },
    instruction,
    purpose: 'train',
    mode: 'screenshot_a11y_tree',
    maxSteps: 20,
    provenance: { kind: 'rollout' },
    steps,
    frames: { kind: 'redrawn', renderer: RENDERER },
    outcome: {
      kind: 'judged',
      ending: 'finished',
      verdict: {
        score: Number(isSolved),
        why: isSolved ? 'all conditions hold' : 'a condition does not hold',
      },
    },
    startedAt: at - 9000,
    endedAt: at,
  };
}
