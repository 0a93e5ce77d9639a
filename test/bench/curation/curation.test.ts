// The benchmark on small tables, as the command line runs it.

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
  const asked = { json: true, seeds, ...(table !== undefined && { table }) };
  return curation.run(report, asked);
}

function tableWith(text: string): string {
  const file = join(folder, 'table.json');
  writeFileSync(file, text);
  return file;
}

test('every figure is there with its interval, and the parts add up to something', async () => {
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
  const gains = series?.['gain by epochs/all of it'] ?? [];
  expect(gains).toHaveLength(8);
  expect(gains.at(-1)?.y).toBe(gain);
});

test('without a table one is generated, and that is said', async () => {
  const { config } = await benched(undefined, 1);
  expect(config).toMatchObject({ tasks: 369, table: expect.stringContaining('generated') });
});

describe('a table that cannot be used is an error that names it', () => {
  test('where there is none', async () => {
    await expect(benched(join(folder, 'none.json'), 1)).rejects.toThrow(
      /none.json' cannot be read .*leave out --table/,
    );
  });

  test('where it is wrong', async () => {
    const file = tableWith('[{"task": "a", "rewards": [7]}]');
    await expect(benched(file, 1)).rejects.toThrow(/row 1 rewards\[0\]/);
  });
});
