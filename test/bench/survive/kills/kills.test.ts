// The benchmark of kills and stalls on a pocket run with three faults: training continues after each, nothing is lost and no process is left.
// Needs the bundles that `npm test` builds first.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../temporary.ts';

const BENCH = fileURLToPath(new URL('../../../../dist/bench.js', import.meta.url));

test.skipIf(process.platform !== 'linux')('a pocket run survives the faults of its plan', async () => {
  const faults = ['--kills', '2', '--stalls', '1', '--input', 'pocket'];
  const args = [BENCH, 'survive', ...faults, '--out', temporaryFolder('kills')];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  const { figures, config } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const { recover_s_p95: _p95, recover_s_worst: worst, trajectories, curve_points, ...counts } = figures;
  expect(counts, stderr).toEqual({
    ...{ kills: 2, stalls: 1, disturbances: 0, lost: 0, twice: 0, stuck: 0, orphans: 0 },
    ...{ disagreements: 0, contradictions: 0, setbacks: 0 },
  });
  expect(worst).toBeGreaterThan(0);
  expect(trajectories).toBeGreaterThan(0);
  expect(curve_points).toBeGreaterThan(0);
  expect(config.runs).toEqual([{ run: 'pocket', faults: 3 }]);
});
