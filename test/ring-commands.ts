// The commands of the ring, with scripted runs behind them, in a workspace of their own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Surroundings } from '../runtime/cli/foreground.ts';
import { VirtualClock } from '../runtime/core/virtual-clock.ts';
import { file } from './cli/terminal/screen.ts';
import { pagesFolder } from './server/client.ts';
import type { OwnedRuns } from './server/owned-runs.ts';

const pages = pagesFolder();

/** `notices` are said while the runs are opened. */
export function commandsWith(runs: OwnedRuns, ...notices: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [output, stop] = [file(), new AbortController()];
  const remarks: string[] = [];
  const around: Surroundings = {
    ...{ folder, pages, output, stop: stop.signal, port: 0, root: 'runs', program: 'dartboard' },
    clock: new VirtualClock(),
    environment: {},
    async open(notice) {
      for (const text of notices) notice(text);
      return runs;
    },
  };
  return { around, folder, output, stop, remarks, remark: (text: string) => void remarks.push(text) };
}
