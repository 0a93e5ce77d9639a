// `dartboard run`: a policy tries an instruction on a desktop of the kind that it was trained on. Prints each step and the result.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { messageOf } from '../core/errors.ts';
import { seeded } from '../core/rng.ts';
import type { Instance } from '../core/task.ts';
import type { Attempt } from '../inference/calls.ts';
import { filmstrip, hundredths } from '../inference/filmstrip.ts';
import { instanceFor, randomInstance, tasksFor } from '../inference/instance-search.ts';
import { runName } from '../run/run-folder.ts';
import type { CliContext } from './context.ts';
import { parseSeed, wholeNumber } from './options.ts';
import { withSavedPolicy } from './saved-policy.ts';
import { accent, cut, faint, plain, type StyledLine, strong } from './terminal/line.ts';
import { MARGIN, printLines, widthOfOutput } from './terminal/output.ts';

const DEFAULT_STEPS = 15;
const MAX_STEPS = 100;

interface RunOptions {
  readonly app?: string;
  readonly weights?: string;
  readonly steps: number;
  /** Chooses the task where there is no instruction. Default: another task each time. */
  readonly seed?: string;
}

export function addRunCommand(program: Command, context: CliContext): void {
  program
    .command('run')
    .description('Watch saved weights try an instruction.')
    .argument('[instruction]', 'what to do, in quotes (default: a task of the suite)')
    .option(
      '--app <name>',
      'pocket desktop: calculator, calendar, contacts, files, mail, notes or settings. Docker: galculator, mousepad, pcmanfm or xterm',
    )
    .option('--weights <file>', '.safetensors file, run folder or run name (default: the latest run)')
    .option('--steps <number>', 'steps at most', wholeNumber(1, MAX_STEPS), DEFAULT_STEPS)
    .option(
      '--seed <text>',
      'chooses the task if there is no instruction (default: another task each time)',
      parseSeed,
    )
    .action((instruction: string | undefined, options: RunOptions) =>
      run(context, instructionOf(instruction, context.environment), options),
    );
}

/** An editor passes the instruction in the environment: no shell can then change its text. */
export function instructionOf(
  argument: string | undefined,
  environment: CliContext['environment'],
): string | undefined {
  const instruction = argument ?? environment['DARTBOARD_INSTRUCTION'] ?? '';
  return instruction.trim() === '' ? undefined : instruction;
}

async function run(context: CliContext, instruction: string | undefined, options: RunOptions): Promise<void> {
  const { weights, app, steps, seed = String(context.clock.now()) } = options;
  const width = widthOfOutput(context.output) + MARGIN;
  const say = (...lines: readonly StyledLine[]): void => printLines(context, lines);
  await withSavedPolicy(context.entries.performer, weights, async ({ file, policy, suite, performer }) => {
    const tasks = tasksFor(suite, policy.tasks, app);
    const instance =
      instruction === undefined
        ? randomInstance(suite, tasks, seeded(seed))
        : instanceFor(suite, tasks, instruction);
    const attempt = await performer.call('attempt', { instance, instruction, steps });
    const about = aboutInstance(instance);
    say([], [strong(attempt.instruction)], [faint(about)], [faint(`weights: ${file}`)], []);
    // Rows may be cut. Results and file names are printed whole.
    say(...stepsIn(attempt, width).map(line => cut(line, width - MARGIN)), []);
    const results = resultLines(attempt);
    const film = await writeFilm(file, filmstrip(attempt, about, results.join(' ')));
    say(...results.map((line): StyledLine => [plain(line)]), [], [faint(`All screens: ${film}`)], []);
  });
}

/** One row per step, with the probability of the action and the runner-up. */
function stepsIn({ steps }: Attempt, width: number): readonly StyledLine[] {
  const longest = Math.max(12, ...steps.map(({ sentence }) => sentence.length));
  const broad = Math.min(longest, Math.max(20, width - 47));
  const head = [faint(`    ${'action'.padEnd(broad)}  probability   runner-up`)];
  const rows = steps.map(({ sentence, sure, nearly }, index): StyledLine => {
    const [what] = cut([plain(sentence)], broad).map(({ text }) => text);
    const shown = (what ?? '').length < sentence.length ? `${what}…` : sentence;
    const other = nearly === undefined ? '' : `   ${nearly.sentence} (${hundredths(nearly.probability)})`;
    return [
      faint(`${String(index + 1).padStart(2)}  `),
      plain(shown.padEnd(broad)),
      accent(`  ${hundredths(sure).padStart(11)}`),
      faint(other),
    ];
  });
  return [head, ...rows];
}

const aboutInstance = ({ task, seed }: Instance): string => `desktop of task ${task}, instance ${seed}`;

const ENDINGS: Readonly<Record<Attempt['ending'], string>> = {
  finished: 'The agent reported the task as done.',
  fail: 'The agent reported the task as infeasible.',
  capped: 'The agent used all its steps without finishing.',
};

function resultLines({ ending, outcome, changes, success }: Attempt): readonly string[] {
  const verdict = success === undefined ? [] : [success ? 'The task is solved.' : 'The task is not solved.'];
  const done = outcome === undefined ? describeChanges(changes) : [`Its outcome: “${outcome}”`];
  return [[ENDINGS[ending], ...done].join(' '), ...verdict];
}

/** Docker desktops cannot report what changed. */
function describeChanges(changes: Attempt['changes']): readonly string[] {
  if (changes === undefined) return [];
  const [first, ...more] = changes;
  if (first === undefined) return ['Nothing changed.'];
  const others = more.length > 3 ? `, and ${more.length - 3} more` : '';
  return [`Changed: ${[first, ...more.slice(0, 3)].join(', ')}${others}.`];
}

/** The page lies beside the weights. */
async function writeFilm(weights: string, film: string): Promise<string> {
  const folder = join(dirname(weights), 'attempts');
  const file = join(folder, `${runName(new Date(), 'attempt')}.html`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, film);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      `The page of screens cannot be written to '${folder}' (${reason}). Copy the weights to a writable folder.`,
    );
  }
  return relative('', file);
}
