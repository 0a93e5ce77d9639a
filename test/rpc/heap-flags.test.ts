import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childFlags } from '../../runtime/rpc/heap-flags.ts';
import { temporaryFolder } from '../temporary.ts';

/** How large what is young gets in a process that is started so and never stops making things, in megabytes. */
async function young(waiting?: number): Promise<number> {
  const entry = join(temporaryFolder('collecting'), 'child.cjs');
  writeFileSync(
    entry,
    `const made = [];
    let most = 0;
    for (let turn = 0; turn < 400; turn++) {
      made[turn % 100] = Array.from({ length: 10_000 }, () => [turn]);
      const space = require('node:v8').getHeapSpaceStatistics().find(each => each.space_name === 'new_space');
      most = Math.max(most, space.space_size);
    }
    process.send(most / 2 ** 20);`,
  );
  const child = fork(entry, [], { execArgv: [...childFlags(waiting)] });
  const [most] = await once(child, 'message');
  return most;
}

describe('the heap of a child process', () => {
  test.each([
    [undefined, []],
    [1, ['--max-semi-space-size=8']],
    [1000, ['--max-semi-space-size=8']],
    [1001, ['--max-semi-space-size=64']],
    [10_000, ['--max-semi-space-size=256']],
    [1_000_000, ['--max-semi-space-size=256']],
  ])('has room for %i things that wait in it', (waiting, room) => {
    expect(childFlags(waiting).filter(flag => flag.includes('semi-space'))).toEqual(room);
  });

  test('has the sizes that V8 reports', async () => {
    const asItIs = await young();
    expect(await young(10_000)).toBeGreaterThan(2 * asItIs);
    expect(await young(32)).toBeLessThan(asItIs);
  });
});
