// Fills a workspace with trajectories of pocket tasks, solved by their scripts so that their screens can be drawn. The decisions of
// each step are random numbers from a seed.

import type { Action } from '../../core/action.ts';
import { at } from '../../core/at.ts';
import { groupId, type Seed, type TaskId, trajectoryId, version } from '../../core/ids.ts';
import { type Random, seeded } from '../../core/rng.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import { POCKET, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import { ingestAll, openStore } from '../data.ts';

/** Different task instances; further trajectories repeat them with other names and results. */
const INSTANCES = 256;
const GROUP = 8;
const START_MS = Date.UTC(2026, 0, 1);

interface SolvedInstance {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly instruction: string;
  readonly steps: readonly Step[];
}

export async function fillWorkspace(root: string, count: number): Promise<void> {
  const store = await openStore(root);
  const random = seeded('panels');
  const instances = Array.from({ length: INSTANCES }, (_, index) => solve(index, random));
  await ingestAll(store, count, index =>
    trajectoryOf(random, at(instances, Math.floor(index / GROUP) % INSTANCES), index),
  );
  await store.close();
}

function solve(index: number, random: Random): SolvedInstance {
  const tasks = POCKET.tasks('train');
  const task = at(tasks, index % tasks.length);
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
      chosen: {
        version: version(index),
        trace: { kind: 'heads', decisions: isPointing ? [kind, pointer(0)] : [kind] },
      },
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
