// The conversations of steps, read from the files of successful trajectories.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeChat } from '../../../runtime/agents/model/chat-observation.ts';
import { runId } from '../../../runtime/core/ids.ts';
import type { Step } from '../../../runtime/core/step.ts';
import type { TokensTrace } from '../../../runtime/core/trace.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { placeOf } from '../../../runtime/data/files/places.ts';
import { encodeTrajectory } from '../../../runtime/data/files/trajectory-file.ts';
import { successExchanges } from '../../../runtime/run/trainer/success-exchanges.ts';
import { BROKEN, folder, judged, step, trajectory } from '../../data/trajectories.ts';

const RUN = runId('run-1');

const trace = (raw: string): TokensTrace => ({
  ...{ kind: 'tokens', tokens: [], estimator: 'surprisal', finish: 'stop', raw, defects: [] },
  served: { endpoint: 'toy', model: 'tars', latencyMs: 5, retries: [] },
});

const messagesOf = (text: string) => [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];

/** Two turns; the first has two actions. */
const steps: readonly Step[] = [
  {
    ...step(1, 0),
    observation: encodeChat(messagesOf('first')),
    chosen: chosenBy(trace('click, then wait')),
  },
  { ...step(1, 0), chosen: chosenBy({ kind: 'same-turn' }) },
  { ...step(1, 0), observation: encodeChat(messagesOf('second')), chosen: chosenBy(trace('finished')) },
];

function chosenBy(by: NonNullable<Step['chosen']>['trace']): NonNullable<Step['chosen']> {
  return { version: step(1, 0).chosen?.version ?? expect.unreachable(), trace: by };
}

function exchangesOf(...stored: readonly Trajectory[]) {
  const root = folder();
  for (const each of stored) {
    const file = join(root, placeOf(each.id, RUN));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, encodeTrajectory(each).bytes);
  }
  return successExchanges(root, RUN);
}

test('a turn of a success is its messages and its reply as the model wrote it', async () => {
  const of = exchangesOf(trajectory('good', { steps }));
  expect(await of({ trajectory: 'good', index: 0 })).toEqual({
    messages: messagesOf('first'),
    reply: 'click, then wait',
  });
  // The second action of the first turn is no turn.
  expect(await of({ trajectory: 'good', index: 1 })).toMatchObject({ reply: 'finished' });
  expect(await of({ trajectory: 'good', index: 2 })).toBeUndefined();
});

test.each([
  ['failed', { steps, outcome: judged(0) }],
  ['broke', { steps, outcome: BROKEN }],
  ['was played by the built-in policy', {}],
] as const)('a trajectory that %s has none', async (_, changes) => {
  expect(await exchangesOf(trajectory('other', changes))({ trajectory: 'other', index: 0 })).toBeUndefined();
});

test('a trajectory that is no longer stored has none, and the next one is found', async () => {
  const of = exchangesOf(trajectory('good', { steps }));
  expect(await of({ trajectory: 'deleted', index: 0 })).toBeUndefined();
  expect(await of({ trajectory: 'good', index: 0 })).toBeDefined();
});
