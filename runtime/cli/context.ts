// The context that the process passes to every command. Tests pass their own.

import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/system-clock.ts';
import { RUNS } from '../run/folders/run-folder.ts';
import { programName, type StartedProgram } from './program-name.ts';
import { stopSignal } from './stop-signal.ts';
import type { Environment, Output } from './terminal/output.ts';

/** The bundles of child processes and threads. */
export type BundleEntries = Readonly<
  Record<'engine' | 'frames' | 'host' | 'index' | 'inference' | 'trainer' | 'worker', URL>
>;

export interface CliContext {
  /** The workspace. */
  readonly folder: string;
  /** The folder of its runs, relative to the workspace. */
  readonly root: string;
  readonly entries: BundleEntries;
  /** The folder of the built web pages. */
  readonly pages: URL;
  readonly clock: Clock;
  readonly output: Output;
  /** Standard error: it does not mix with output that other programs read. */
  readonly printError: (text: string) => void;
  readonly environment: Environment;
  /** Starts to listen for Ctrl-C: a command that never calls it ends at once. */
  readonly stopSignal: () => AbortSignal;
  /** How a user calls this program in the same terminal. */
  readonly program: string;
}

/** `bundle` is the file of the running program; the other bundles lie beside it. */
export function contextOfProcess(bundle: string): CliContext {
  const entry = (name: string): URL => new URL(`./${name}.js`, bundle);
  return {
    folder: process.cwd(),
    root: RUNS,
    entries: {
      engine: entry('engine'),
      frames: entry('frames'),
      host: entry('host'),
      index: entry('index'),
      inference: entry('inference'),
      trainer: entry('trainer'),
      worker: entry('worker'),
    },
    pages: new URL('./webview/', bundle),
    clock: systemClock,
    output: process.stdout,
    printError: text => void process.stderr.write(`${text}\n`),
    environment: process.env,
    stopSignal,
    program: programName(startedProgram(process.argv[1])),
  };
}

function startedProgram(file = ''): StartedProgram {
  const path = relative('', file);
  return {
    file: path.startsWith('..') ? file : path,
    npmCommand: process.env['npm_command'],
    isInPackage: existsSync('package.json'),
  };
}
