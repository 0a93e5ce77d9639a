// Which agents have played, and their episodes.

import { expect, test } from 'vitest';
import { version } from '../../../runtime/core/ids.ts';
import type { Step } from '../../../runtime/core/step.ts';
import type { TokensTrace } from '../../../runtime/core/trace.ts';
import { folder, judged, trajectory } from '../trajectories.ts';
import { indexed } from './filled-index.ts';

const reply = (latencyMs: number, served: Partial<TokensTrace['served']> = {}): Step => ({
  action: { kind: 'wait' },
  meant: [],
  chosen: {
    version: version(0),
    trace: {
      ...{ kind: 'tokens', estimator: 'top-k', finish: 'stop', raw: 'wait()', defects: [] },
      tokens: [{ text: 'wait()', logProbability: Math.log(0.5), entropy: 0.75 }],
      served: { ...{ endpoint: 'm', model: 'm', latencyMs, retries: [] }, ...served },
    },
  },
});

const ALL = [
  trajectory('a', { agent: 'first', purpose: 'evaluate', steps: [reply(10, { promptTokens: 5, cost: 2 })] }),
  trajectory('b', { agent: 'first', steps: [reply(10), reply(20)], outcome: judged(0) }),
  trajectory('c', { agent: 'second', steps: [reply(1)] }),
  trajectory('d'),
  trajectory('e', { provenance: { kind: 'oracle' }, steps: [] }),
];

test('lists the agents with their episodes; demonstrations are of no agent', async () => {
  const { queries } = await indexed(folder(), ALL);
  expect(await queries.agents()).toEqual([
    { agent: 'compact', trajectories: 1 },
    { agent: 'first', trajectories: 2 },
    { agent: 'second', trajectories: 1 },
  ]);
});

test('lists the episodes of agents with the sums of their replies', async () => {
  const { queries } = await indexed(folder(), ALL);
  const played = await queries.played({ filter: { agents: ['first', 'compact'] } });
  expect(played.map(({ agent, outcome, steps, replies }) => [agent, outcome, steps, replies])).toEqual([
    [
      ...['first', 'success', 1],
      {
        ...{ estimator: 'top-k', promptTokens: 5, completionTokens: 1, latencyMs: 10, cost: 2 },
        malformed: 0,
      },
    ],
    [
      ...['first', 'failure', 2],
      { estimator: 'top-k', promptTokens: 0, completionTokens: 2, latencyMs: 30, malformed: 0 },
    ],
    ['compact', 'success', 1, undefined],
  ]);
  expect(await queries.played({ filter: { agents: ['nobody'] } })).toEqual([]);
});

test('uncertain steps name the agent and the estimator, and can be limited to agents', async () => {
  const { queries } = await indexed(folder(), ALL);
  const window = { offset: 0, limit: 10 };
  const ofFirst = await queries.steps({ filter: { agents: ['first'] }, ...window });
  expect(ofFirst).toHaveLength(2);
  expect(ofFirst[0]).toMatchObject({
    ...{ agent: 'first', estimator: 'top-k', uncertainty: 0.75, probability: 0.5 },
  });
  const [own] = await queries.steps({ filter: { agents: ['compact'] }, ...window });
  expect(own).not.toHaveProperty('agent');
  expect(own).toMatchObject({ trajectory: 'd', uncertainty: 0.5 });
});
