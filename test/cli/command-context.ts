// A context for commands, with scripted runs and a workspace of its own.

import type { CliContext } from '../../runtime/cli/context.ts';
import type { RunsContext } from '../../runtime/cli/foreground.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { pagesFolder } from '../server/client.ts';
import type { OwnedRuns } from '../server/owned-runs.ts';
import { temporaryFolder } from '../temporary.ts';
import { file } from './terminal/screen.ts';

/** `notices` are printed while the runs open. */
export function commandsWith(runs: OwnedRuns, ...notices: readonly string[]) {
  const [output, stop] = [file(), new AbortController()];
  const errors: string[] = [];
  const context = {
    folder: temporaryFolder('workspace'),
    root: 'runs',
    pages: pagesFolder(),
    output,
    program: 'dartboard',
    clock: new VirtualClock(),
    environment: {},
    printError: (text: string) => void errors.push(text),
    stopSignal: () => stop.signal,
    async open(notice: (text: string) => void) {
      for (const text of notices) notice(text);
      return runs;
    },
  } satisfies RunsContext;
  return { context, folder: context.folder, output, stop, errors };
}

/** For commands that fail before they start a child process. */
export function contextWithoutProcesses(): {
  context: CliContext;
  output: { readonly text: string };
  errors: string[];
} {
  const output = file();
  const errors: string[] = [];
  const bundle = new URL('file:///no-bundle.js');
  const context: CliContext = {
    folder: temporaryFolder('workspace'),
    root: 'runs',
    entries: {
      ...{ engine: bundle, frames: bundle, host: bundle, index: bundle },
      ...{ inference: bundle, trainer: bundle, worker: bundle },
    },
    pages: pagesFolder(),
    output,
    program: 'dartboard',
    clock: new VirtualClock(),
    environment: {},
    printError: text => void errors.push(text),
    stopSignal: () => new AbortController().signal,
  };
  return { context, output, errors };
}
