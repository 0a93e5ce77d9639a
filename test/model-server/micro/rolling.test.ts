// New weights roll over two real micro servers while episodes play: by adapters, without a lost request, and with the version in each turn.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeMicro } from '../../../runtime/agents/micro/weights-file.ts';
import type { AgentTask } from '../../../runtime/core/agent.ts';
import { version } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { openModelAgent } from '../../../runtime/run/model-agent.ts';
import { TINY, tinyWeights } from '../../agents/micro/tiny.ts';
import { temporaryFolder } from '../../temporary.ts';
import { KEY, tinyServer } from './tiny-server.ts';

const SCREEN = { pixels: { width: 320, height: 240, layout: 'rgb', data: new Uint8Array(230_400) } } as const;

test('two micro servers take over three versions while episodes play', async () => {
  const servers = [await tinyServer(), await tinyServer()];
  const reports: string[] = [];
  const open = await openModelAgent(
    'micro',
    {
      ...{ profile: 'ui-tars-1.5', model: 'micro', endpoints: servers.map(({ url }) => ({ url })) },
      ...{ key: { env: 'MICRO_KEY' }, sampling: { maxTokens: 8 } },
    },
    {
      ...{ environment: { MICRO_KEY: KEY }, clock: systemClock, weightsName: 'run-1' },
      health: (thing, healthy, message) => reports.push(`${thing} ${healthy}: ${message}`),
    },
  );
  onTestFinished(async () => {
    await open.weights?.close();
    open.close();
    for (const server of servers) await server.close();
  });
  const folder = temporaryFolder('rolling');
  let isOver = false;
  const seen: string[] = [];
  const task = (episode: string): AgentTask => ({
    ...{ episode, instruction: 'Mute the sound.', mode: 'screenshot', maxSteps: 5, temperature: 1 },
    ...{ exploration: 0, random: seeded(episode), signal: new AbortController().signal },
  });
  const play = async (index: number) => {
    for (let episode = 0; !isOver; episode++) {
      const session = open.agent.begin(task(`${index}/${episode}`));
      for (let step = 0; step < 3; step++) {
        const { version: decided, trace } = await session.next(SCREEN);
        seen.push(`${decided} ${trace.kind === 'tokens' ? `${trace.served.model} ${trace.defects}` : ''}`);
      }
      session.close();
    }
  };
  const playing = Promise.all([0, 1, 2].map(play));
  for (const number of [11, 12, 13]) {
    const path = join(folder, `v${number}.bin`);
    writeFileSync(path, encodeMicro({ shape: TINY, version: number, weights: tinyWeights(`w${number}`) }));
    open.weights?.publish({ version: version(number), path });
    await open.weights?.settled();
    const from = seen.length;
    await expect.poll(() => seen.length).toBeGreaterThan(from + 6);
  }
  isOver = true;
  await playing;
  expect(reports).toEqual([]);
  expect(new Set(seen)).toEqual(new Set(['7 micro ', '11 run-1-v11 ', '12 run-1-v12 ', '13 run-1-v13 ']));
  const lists = await Promise.all(servers.map(async each => (await each.get('/v1/models')).json()));
  for (const { data } of lists)
    expect(data.map(({ id }: { readonly id: string }) => id).sort()).toEqual([
      'micro',
      'run-1-v12',
      'run-1-v13',
    ]);
});
