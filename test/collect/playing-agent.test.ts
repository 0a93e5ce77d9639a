// The built-in policy of a collection whose policy workers do not start.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { firstWeights } from '../../runtime/agents/compact/programs.ts';
import { openPlayingAgent } from '../../runtime/collect/playing-agent.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { encodePolicy } from '../../runtime/run/folders/policy-file.ts';
import { temporaryFolder } from '../temporary.ts';

const MINUTE = 60_000;

/** With one policy worker, which has ended at its start. Time stands still at 0. */
async function openedWithoutWorkers() {
  const root = temporaryFolder('agent');
  const shape = { width: 8, blocks: 1, heads: 2, hidden: 8, letterWidth: 4, pixels: false };
  const random = seeded('weights');
  const weights = firstWeights(shape, () => random.next());
  const from = join(root, 'w.safetensors');
  writeFileSync(from, encodePolicy({ shape, mode: 'a11y_tree', tasks: [], seed: 's', weights }));
  const worker = join(root, 'worker.mjs');
  writeFileSync(worker, 'process.exit(3);');
  const clock = new VirtualClock();
  const player = await openPlayingAgent({
    ...{ name: COMPACT_AGENT, from, fromOption: '--weights', root, config: parseConfig({}), clock },
    ...{ workerEntry: pathToFileURL(worker), workers: 1, environment: {} },
    closing: new AbortController().signal,
  });
  const failure = await new Promise<string>(resolve => player.health.listen(resolve));
  expect(failure).toContain('exit code 3');
  return { player, clock, down: player.health.down };
}

test('a collection ends with the reason when no policy worker has started for ten minutes', async () => {
  const { player, clock, down } = await openedWithoutWorkers();
  const secondFailure = new Promise(resolve => player.health.listen(resolve));
  await clock.run(9 * MINUTE);
  expect(down.aborted).toBe(false);
  await clock.run(11 * MINUTE);
  expect(String(down.reason)).toMatch(
    /No policy worker of agent 'compact' has answered for 10 minutes: .*exit code 3.*\. Correct the cause/,
  );
  // The folder of the entry is removed after the test.
  await secondFailure;
  await player.close();
});

test('a collection that has ended does not wait for its policy workers', async () => {
  const { player, clock, down } = await openedWithoutWorkers();
  await player.close();
  await clock.run(11 * MINUTE);
  expect(down.aborted).toBe(false);
});
