// New weights roll over two real micro servers while episodes play: by adapters, without a lost request, and with the version in each turn.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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
  // The servers report version 7 first, of another run: requests waited.
  expect(new Set(seen)).toEqual(new Set(['11 run-1-v11 ', '12 run-1-v12 ', '13 run-1-v13 ']));
  const lists = await Promise.all(servers.map(async each => (await each.get('/v1/models')).json()));
  for (const { data } of lists)
    expect(data.map(({ id }: { readonly id: string }) => id).sort()).toEqual([
      'micro',
      'run-1-v12',
      'run-1-v13',
    ]);
});

describe('a server with room for few adapters', () => {
  const FOLDER = temporaryFolder('runs');
  const path = join(FOLDER, 'weights.bin');
  writeFileSync(path, encodeMicro({ shape: TINY, version: 1, weights: tinyWeights('w') }));

  async function serving() {
    const server = await tinyServer();
    onTestFinished(() => server.close());
    const reports: string[] = [];
    const openRun = (run: string) =>
      openModelAgent(
        'micro',
        { profile: 'ui-tars-1.5', model: 'micro', url: server.url, key: { env: 'MICRO_KEY' } },
        {
          ...{ environment: { MICRO_KEY: KEY }, clock: systemClock, weightsName: run },
          health: (thing, healthy, message) => reports.push(`${thing} ${healthy}: ${message}`),
        },
      );
    /** Publishes three versions in a process of the run. */
    const publish = async (run: string, first: number) => {
      const { weights, close } = await openRun(run);
      for (const number of [first, first + 1, first + 2]) {
        weights?.publish({ version: version(number), path });
        await weights?.settled();
      }
      return { weights, close };
    };
    const adapters = async (): Promise<readonly string[]> => {
      const { data } = await (await server.get('/v1/models')).json();
      return data.map(({ id }: { readonly id: string }) => id).filter((id: string) => id !== 'micro');
    };
    return { publish, adapters, reports };
  }

  test('has none of a run that ended, so later runs have room', async () => {
    const { publish, adapters, reports } = await serving();
    for (let run = 1; run <= 9; run++) {
      const { weights, close } = await publish(`run-${run}`, 1);
      expect(await adapters()).toEqual([`run-${run}-v2`, `run-${run}-v3`]);
      await weights?.close();
      close();
      expect(await adapters()).toEqual([]);
    }
    expect(reports).toEqual([]);
  });

  test('loses those of a process of the run that crashed', async () => {
    const { publish, adapters, reports } = await serving();
    for (let process = 0; process < 9; process++) (await publish('run', 3 * process + 1)).close();
    expect(await adapters()).toHaveLength(4);
    const { weights, close } = await publish('run', 100);
    await weights?.close();
    close();
    expect(await adapters()).toEqual([]);
    expect(reports).toEqual([]);
  });
});
