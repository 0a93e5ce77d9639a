// Desktops, policies and workers for tests that take time by a clock that jumps, and do nothing else.

import type { Action } from '../../runtime/core/action.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { BoundaryError } from '../../runtime/core/failure.ts';
import { desktopId, groupId, orderId, runId, seed, taskId, version } from '../../runtime/core/ids.ts';
import type { Order } from '../../runtime/core/order.ts';
import type { Choice, DecisionRequest, PolicyPool } from '../../runtime/core/policy.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import type { Instance, Task } from '../../runtime/core/task.ts';
import type { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { DesktopPool } from '../../runtime/environments/pool.ts';

export const WAIT: Action = { kind: 'wait' };
export const FINISHED: Action = { kind: 'finished', answer: '' };

export const choiceOf = (action: Action, of = 0): Choice => ({
  action,
  meant: [],
  decisions: [],
  version: version(of),
});

const SCREEN: Screen = {
  pixels: { layout: 'rgba', width: 1, height: 1, data: new Uint8Array(4) },
  elements: [],
};

export interface ModelDesktops {
  readonly size?: number;
  /** Milliseconds that an act takes. */
  readonly acts?: number;
  /** Whether this act, counted over all desktops from 1, breaks its desktop. */
  readonly breaks?: (act: number) => boolean;
  readonly renderer?: string;
  /** The instruction that a desktop makes at its reset. */
  readonly instruction?: string;
  /** Whether this act, counted over all desktops from 1, ends the episode. */
  readonly ends?: (act: number) => boolean;
}

/** A cluster of desktops, with what was asked of them in order, and when. */
export function desktops(clock: VirtualClock, model: ModelDesktops = {}) {
  const { size = 2, acts = 10, breaks = () => false, renderer = 'model-1', instruction } = model;
  const { ends = () => false } = model;
  const log: string[] = [];
  let [made, acted] = [0, 0];
  const make = async (): Promise<Desktop> => {
    const id = desktopId(`d${made++}`);
    const said = (what: string) => log.push(`${clock.now()} ${id} ${what}`);
    const unused = () => Promise.reject(new Error('not used'));
    return {
      id,
      ...(renderer !== '' && { renderer }),
      reset: async (task, number) => {
        said(`reset ${task.id} ${number}`);
        return { ...SCREEN, ...(instruction !== undefined && { instruction }) };
      },
      act: async () => {
        acted += 1;
        const [isLast, isOver] = [breaks(acted), ends(acted)];
        await clock.sleep(acts);
        if (isLast)
          throw new BoundaryError({ boundary: 'environment', thing: id, message: 'its screen went away' });
        return { ...SCREEN, ...(isOver && { isOver }) };
      },
      judge: async ending => {
        said(`judged ${ending}`);
        return { score: 0.5, why: 'a model' };
      },
      query: unused,
      setup: unused,
      close: async () => undefined,
    };
  };
  const cluster = new DesktopPool({
    ...{ size, make, clock, maxEpisodes: 1000, maxAgeMs: Number.POSITIVE_INFINITY },
    health: (thing, healthy, message) => log.push(`${clock.now()} ${thing} ${healthy}: ${message}`),
  });
  return { cluster, log };
}

/** A policy that takes so long for each answer, and answers what it is told to. */
export function policy(
  clock: VirtualClock,
  answer: (request: DecisionRequest, number: number) => Action | Error,
  takes = 5,
) {
  const requests: DecisionRequest[] = [];
  const pool: PolicyPool = {
    decide: async request => {
      const number = requests.push(request);
      await clock.sleep(takes);
      const found = answer(request, number);
      if (found instanceof Error) throw found;
      return choiceOf(found, request.version ?? number);
    },
  };
  return { pool, requests };
}

export const policyError = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'policy', thing: 'model', message });

export const taskOf = ({ task }: Instance): Task => {
  if (task === 'unknown') throw new RangeError(`There is no task '${task}'.`);
  const max_steps = task === 'long' ? 30 : 6;
  return {
    ...{ id: task, instruction: `Do ${task}.`, evaluator: { func: 'infeasible' } },
    dartboard: { max_steps },
  };
};

export const order = (
  name: string,
  { task = 'wait', maxSteps = 3, purpose = 'train' as Exclude<Order['purpose'], 'evaluate'> } = {},
): Order => ({
  id: orderId(name),
  run: runId('run'),
  group: groupId('group'),
  instance: { task: taskId(task), seed: seed(7) },
  maxSteps,
  mode: 'a11y_tree',
  purpose,
});
