// The curation benchmark on small tables.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { curation } from '../../../runtime/bench/curation/curation.ts';
import { Report } from '../../../runtime/bench/report.ts';
import { temporaryFolder } from '../../temporary.ts';

const folder = temporaryFolder('curation');

function benched(table: string | undefined, seeds: number) {
  const settings = { table, seeds };
  const report = new Report(curation, {
    ...{ folder, settings, quiet: true, fresh: true, build: 'a', now: () => 0, machine: {}, versions: {} },
  });
  return curation.run(report, { seeds, ...(table !== undefined && { table }) });
}

function tableWith(text: string): string {
  const file = join(folder, 'table.json');
  writeFileSync(file, text);
  return file;
}

test('every rule has a gain with its interval, and leaving a rule out lowers it', async () => {
  const rewards = [[0], [0], [0], [1], [1], [0, 0, 0, 0, 1], [0, 1], [0, 1, 1, 1]];
  const rows = Array.from({ length: 5 }, () => rewards).flat();
  const file = tableWith(JSON.stringify(rows.map((each, task) => ({ task: `t${task}`, rewards: each }))));
  const { figures, certainty, config, series } = await benched(file, 3);
  const { groups_per_1000_gain: gain = 0, gain_of_success_pool_alone: pool = 0 } = figures;
  expect(gain).toBeGreaterThan(1.2);
  expect(pool).toBeGreaterThan(1);
  for (const name of ['success_pool', 'revisits']) expect(figures[`gain_without_${name}`]).toBeLessThan(gain);
  expect(figures['gain_with_filled_pool']).toBeGreaterThan(figures['gain_without_success_pool'] ?? 0);
  const { low = Number.NaN, high = Number.NaN } = certainty?.['groups_per_1000_gain'] ?? {};
  expect(low).toBeLessThan(gain);
  expect(high).toBeGreaterThan(gain);
  expect(config).toMatchObject({ table: "the table 'table.json'", tasks: 40, never: 15, always: 10 });
  const gains = series?.['gain by epochs/all rules'] ?? [];
  expect(gains).toHaveLength(8);
  expect(gains.at(-1)?.y).toBeCloseTo(gain);
});

test('without --table it uses a generated table and records that', async () => {
  // Without seeds nothing is simulated: the table is the subject.
  const { config } = await benched(undefined, 0);
  expect(config).toMatchObject({ tasks: 369, table: expect.stringContaining('generated') });
});

describe('an unusable table is an error that names it', () => {
  test('if the file is missing', async () => {
    await expect(benched(join(folder, 'none.json'), 1)).rejects.toThrow(
      /Cannot read the table '.*none.json': .*omit --table/,
    );
  });

  test('if a reward is out of range', async () => {
    const file = tableWith('[{"task": "a", "rewards": [7]}]');
    await expect(benched(file, 1)).rejects.toThrow(/\[0\].rewards\[0\]: /);
  });
});
