// `dartboard model clone`: makes a file of weights of the micro model by imitation of scripted solutions, so that a training of a language
// model can be tried on two cores.

import { access, constants, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type ClonedModel, cloneTier1, EXAMPLES_BEFORE_TRAINING } from '../cloning/tier-1.ts';
import { isMissing, sentenceOf } from '../core/errors.ts';
import { seeded } from '../core/rng.ts';
import { count } from '../run/number-format.ts';
import type { CliContext } from './context.ts';
import { minutesOption, parseSeed, wholeNumber } from './options.ts';
import { CloningDisplay, cloningText } from './terminal/cloning-display.ts';
import { plain, strong } from './terminal/line.ts';
import { printLines } from './terminal/output.ts';

/** Days on two cores. */
const MAX_EXAMPLES = 100_000_000;

interface ModelCloneOptions {
  readonly to: string;
  readonly examples: number;
  readonly minutes?: number;
  readonly seed: string;
}

export function addCloneCommand(model: Command, context: CliContext): void {
  model
    .command('clone')
    .description(
      'Make weights of the micro model: random weights that imitate scripted solutions of tier 1. The model then solves a part of the tasks, and reinforcement learning can go on from there.',
    )
    .option('--to <file>', 'file for the weights; it must not exist', 'micro.safetensors')
    .addOption(
      new Option('--examples <number>', 'number of examples to imitate')
        .argParser(wholeNumber(1, MAX_EXAMPLES))
        .default(EXAMPLES_BEFORE_TRAINING),
    )
    .addOption(minutesOption('minutes of imitation, instead of a number of examples').conflicts('examples'))
    .option('--seed <text>', 'seed of the first weights and of the solutions', parseSeed, 'micro')
    .addHelpText(
      'after',
      `
Takes two to five minutes on two cores. Ctrl-C ends it early and keeps the weights so far. With twice as many examples the model solves most click tasks of
tier 1, and reinforcement learning has little to improve.

Example:
  $ ${context.program} model clone --to micro.safetensors
  $ ${context.program} model serve --weights micro.safetensors`,
    )
    .action((options: ModelCloneOptions) => cloneModel(context, options));
}

async function cloneModel(
  context: CliContext,
  { to, examples, minutes, seed }: ModelCloneOptions,
): Promise<void> {
  const { folder, clock, entries, output } = context;
  const file = resolve(folder, to);
  await checkPlace(file, to);
  const signal = context.stopSignal();
  const length = minutes === undefined ? { examples } : { minutes };
  const display = new CloningDisplay(context, length);
  let cloned: ClonedModel;
  try {
    cloned = await cloneTier1({
      ...{ length, clock, signal, engineEntry: entries.engine, random: seeded(`clone/${seed}`) },
      progress: totals => display.show(totals, signal.aborted),
    });
  } finally {
    display.end();
  }
  const { totals } = cloned;
  if (totals.steps === 0)
    throw new Error(`'${to}' is not written: the cloning was stopped before its first step. Start it again.`);
  await writeNew(file, to, cloned.file);
  const ended = signal.aborted ? 'Stopped early.' : 'Done.';
  output.write('\n');
  printLines(context, [
    [plain(`${ended} ${cloningText(totals, length)}.`)],
    [],
    [strong(to), plain(`  the weights, ${count(Math.round(cloned.file.byteLength / 1024))} KB`)],
    [],
    [plain(`To serve them: ${context.program} model serve --weights ${to}`)],
  ]);
}

/** Before minutes of work: the file can be written, and replaces none. */
async function checkPlace(file: string, name: string): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found !== undefined) throw exists(name);
  await access(dirname(file), constants.W_OK).catch((error: unknown) => {
    throw new Error(
      `'${name}' cannot be written: ${sentenceOf(error)} Make its folder, or name another file with --to.`,
      { cause: error },
    );
  });
}

/** Never in place of a file that appeared meanwhile, and never a part of the weights. */
async function writeNew(file: string, name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes, { flag: 'wx' }).catch(async (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw exists(name);
    await rm(file, { force: true });
    throw new Error(
      `'${name}' of ${count(bytes.byteLength)} bytes cannot be written: ${sentenceOf(error)} Free space, or name a file on another disk with --to, and start again.`,
      { cause: error },
    );
  });
}

const exists = (name: string): Error =>
  new Error(`'${name}' exists, and its weights are kept. Name another file with --to, or delete it.`);
