// The conversations of steps, read from the files of trajectories.

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
import { storedExchanges } from '../../../runtime/run/trainer/stored-exchanges.ts';
import { folder, judged, step, trajectory } from '../../data/trajectories.ts';

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
  return storedExchanges(root, RUN);
}

test('a turn is its messages and its reply as the model wrote it', async () => {
  const of = exchangesOf(trajectory('good', { steps }));
  expect(await of({ trajectory: 'good', index: 0 })).toEqual({
    messages: messagesOf('first'),
    reply: 'click, then wait',
  });
  // The second action of the first turn is no turn.
  expect(await of({ trajectory: 'good', index: 1 })).toMatchObject({ reply: 'finished' });
  expect(await of({ trajectory: 'good', index: 2 })).toBeUndefined();
});

test('a trajectory that was played by the built-in policy has none', async () => {
  expect(await exchangesOf(trajectory('other'))({ trajectory: 'other', index: 0 })).toBeUndefined();
});

test('a trajectory has them whatever its evaluator said: a person may have judged otherwise', async () => {
  const of = exchangesOf(trajectory('judged', { steps, outcome: judged(0) }));
  expect(await of({ trajectory: 'judged', index: 1 })).toMatchObject({ reply: 'finished' });
});

test('a trajectory that is no longer stored has none, and the next one is found', async () => {
  const of = exchangesOf(trajectory('good', { steps }));
  expect(await of({ trajectory: 'deleted', index: 0 })).toBeUndefined();
  expect(await of({ trajectory: 'good', index: 0 })).toBeDefined();
});
