#!/usr/bin/env node
// The command line.

import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../core/system-clock.ts';
import { defaultAddress } from '../environments/docker/address.ts';
import { openHost } from '../environments/docker/host.ts';
import { hostSettings } from '../environments/docker/host-settings.ts';
import { inputsFolder } from '../environments/docker/images.ts';
import { growRoomily } from '../rpc/heap-flags.ts';
import { RUNS } from '../run/run-folder.ts';
import { RunFolders } from '../run/run-folders.ts';
import { WorkspaceRuns } from '../server/workspace-runs.ts';
import { collect } from './collect.ts';
import { collectOptions } from './collect-options.ts';
import { dockerCommand } from './docker.ts';
import { doctor } from './doctor.ts';
import { evaluate } from './eval.ts';
import type { Open, Surroundings } from './foreground.ts';
import {
  countOf,
  curationOf,
  desktopsOf,
  minutesOf,
  modeOf,
  portOf,
  presetOf,
  seedOf,
  splitOf,
  tiersOf,
} from './options.ts';
import { play } from './play.ts';
import { resume } from './resume.ts';
import { instructionIn, run } from './run.ts';
import { runsCommand } from './runs.ts';
import { serve } from './serve.ts';
import { mayGoUnread, stopped } from './stop-signal.ts';
import { start } from './train.ts';
import { USAGE } from './usage.ts';

/** Where a workspace keeps tasks of its own. */
const TASKS = '.dartboard/tasks';

/** The bundle of a child process, beside this one. */
const entry = (name: string): URL => new URL(`./${name}.js`, import.meta.url);
const PAGES = new URL('./webview/', import.meta.url);

growRoomily();
const output = process.stdout;
const environment = process.env;

const say = (text: string): void => {
  output.write(`${text}\n`);
};

/** Where what is said does not get into what is printed for other programs. */
const remark = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const open: Open = notice => {
  const entries = {
    host: entry('host'),
    worker: entry('worker'),
    trainer: entry('trainer'),
    index: entry('index'),
    frames: entry('frames'),
  };
  return WorkspaceRuns.open({ root: RUNS, entries, clock: systemClock, notice });
};

const around = (port: string): Surroundings => ({
  ...{ open, folder: process.cwd(), root: RUNS, pages: PAGES, port: portOf(port), clock: systemClock },
  ...{ program: calledAs(process.argv[1]), output, environment, stop: stopped() },
});

/** Applied where it was said. */
const given = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text);

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  train,
  start: train,

  async resume(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { minutes: { type: 'string' }, port: { type: 'string', default: '0' } },
    });
    const name = onlyOne(positionals, 'resume goes on with one run');
    await resume({ name, minutes: given(values.minutes, minutesOf), around: around(values.port) });
  },

  runs(args) {
    const folder = process.cwd();
    const around = { folder, folders: new RunFolders(RUNS), clock: systemClock, output, environment, remark };
    return runsCommand(args, around);
  },

  collect(args) {
    const options = collectOptions(args);
    const entries = { host: entry('host'), worker: entry('worker'), index: entry('index') };
    const around = { folder: process.cwd(), root: RUNS, entries, clock: systemClock, output, environment };
    return collect({ options, remark, stop: stopped(), ...around });
  },

  async serve(args) {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '0' },
        'keep-training': { type: 'boolean', default: false },
        'read-only': { type: 'boolean', default: false },
      },
    });
    const { folder, pages, port, clock, stop } = around(values.port);
    await serve({
      ...{ open, folder, pages, port, clock, stop, say },
      keepTraining: values['keep-training'],
      readOnly: values['read-only'],
    });
  },

  docker(args) {
    const engine = async () => openHost(defaultAddress(hostSettings(environment)), systemClock);
    return dockerCommand(args, { openHost: engine, inputs: inputsFolder(), clock: systemClock, say });
  },

  async doctor(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    const folder = process.cwd();
    process.exitCode = await doctor({
      ...{ engineEntry: entry('engine'), folder, output, environment },
      json: values.json,
    });
  },

  async eval(args) {
    const { values } = parseArgs({
      args,
      options: {
        weights: { type: 'string' },
        split: { type: 'string', default: 'test' },
        tier: { type: 'string' },
        instances: { type: 'string', default: '20' },
        json: { type: 'boolean', default: false },
      },
    });
    await evaluate({
      entry: entry('performer'),
      weights: values.weights,
      split: splitOf(values.split),
      tiers: values.tier === undefined ? undefined : tiersOf(values.tier),
      instances: countOf('instances', values.instances, 1, 10_000),
      json: values.json,
      output,
      environment,
    });
  },

  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        weights: { type: 'string' },
        app: { type: 'string' },
        steps: { type: 'string', default: '15' },
        seed: { type: 'string' },
      },
    });
    await run({
      entry: entry('performer'),
      instruction: instructionIn(positionals, environment),
      weights: values.weights,
      app: values.app,
      steps: countOf('steps', values.steps, 1, 100),
      // Another task each time, unless one is asked for.
      seed: seedOf(values.seed ?? String(Date.now())),
      output,
      environment,
    });
  },

  async play(args) {
    const { values } = parseArgs({
      args,
      options: { port: { type: 'string', default: '0' }, tasks: { type: 'string' } },
    });
    const port = portOf(values.port);
    const tasks = values.tasks ?? (existsSync(TASKS) ? TASKS : undefined);
    await play({ pages: PAGES, port, tasks, say, stop: stopped() });
  },
};

async function train(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      desktops: { type: 'string' },
      preset: { type: 'string' },
      curation: { type: 'string' },
      tier: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      mode: { type: 'string' },
      demonstrations: { type: 'string' },
      from: { type: 'string' },
      port: { type: 'string', default: '0' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  await start({
    settings: {
      desktops: given(values.desktops, desktopsOf),
      preset: given(values.preset, presetOf),
      curation: given(values.curation, curationOf),
      tiers: given(values.tier, tiersOf),
      minutes: given(values.minutes, minutesOf),
      seed: given(values.seed, seedOf),
      mode: given(values.mode, modeOf),
      demonstrations: given(values.demonstrations, text => countOf('demonstrations', text, 0, 32)),
    },
    from: values.from,
    dryRun: values['dry-run'],
    around: around(values.port),
    remark,
  });
}

function onlyOne([first, second]: readonly string[], rule: string): string | undefined {
  if (second === undefined) return first;
  throw new RangeError(`${rule}; there is '${second}' behind '${first}'.`);
}

/** What to type to call this program again, from this folder. */
function calledAs(file = ''): string {
  const near = relative('', file);
  // npx finds the program of the package that it is called in.
  if (near === join('dist', 'main.js') && existsSync('package.json')) return 'npx dartboard';
  return basename(file) === 'dartboard' ? 'dartboard' : `node ${near.startsWith('..') ? file : near}`;
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined || command === 'help' || [command, ...args].includes('--help')) {
    output.write(USAGE);
    return;
  }
  const found = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (found === undefined) throw new RangeError(`There is no command '${command}'.\n\n${USAGE}`);
  await found(args);
}

/** What was wrong, and for options that nobody knows where those stand that there are. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOption = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isOption) return error.message;
  return `${error.message.replace(/\.?$/, '.')} 'dartboard --help' lists what each command takes.`;
}

mayGoUnread(output);
mayGoUnread(process.stderr);

// The clock keeps no program alive: whoever waits for nothing else would end unheard.
const awake = setInterval(() => undefined, 60_000);
try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  clearInterval(awake);
}
