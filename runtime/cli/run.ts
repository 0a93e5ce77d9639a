// `dartboard run`: saved weights, or an agent, try an instruction on a desktop. Prints each step and the result.

import { join } from 'node:path';
import type { Command } from 'commander';
import { COMPACT_AGENT } from '../core/agent.ts';
import { seeded } from '../core/rng.ts';
import type { Attempt } from '../inference/calls.ts';
import { filmstrip, hundredths } from '../inference/filmstrip.ts';
import { instanceFor, randomInstance, tasksFor } from '../inference/instance-search.ts';
import { aboutInstance, resultLines, writeFilm } from './attempt-result.ts';
import type { CliContext } from './context.ts';
import { parseSeed, WEIGHTS_HELP, wholeNumber } from './options.ts';
import { runAgent } from './run-agent.ts';
import { withSavedPolicy } from './saved-policy.ts';
import { accent, cut, faint, plain, type StyledLine, strong } from './terminal/line.ts';
import { MARGIN, printLines, widthOfOutput } from './terminal/output.ts';

const DEFAULT_STEPS = 15;
const MAX_STEPS = 100;

interface RunOptions {
  readonly agent?: string;
  readonly app?: string;
  readonly weights?: string;
  readonly steps: number;
  /** Chooses the task where there is no instruction. Default: another task each time. */
  readonly seed?: string;
}

export function addRunCommand(program: Command, context: CliContext): void {
  program
    .command('run')
    .description('Watch saved weights, or an agent with --agent, try an instruction.')
    .argument('[instruction]', 'what to do, in quotes (default: a task of the suite)')
    .option(
      '--app <name>',
      'pocket desktop: calculator, calendar, contacts, files, mail, notes or settings. Docker: galculator, mousepad, pcmanfm or xterm. Web: the site, such as shop; an unknown name lists all',
    )
    .option(
      '--agent <name>',
      "agent: an entry of 'agents' in dartboard.json (default: compact, saved weights)",
    )
    .option('--weights <file>', WEIGHTS_HELP)
    .option('--steps <number>', 'steps at most', wholeNumber(1, MAX_STEPS), DEFAULT_STEPS)
    .option(
      '--seed <text>',
      'chooses the task if there is no instruction (default: another task each time)',
      parseSeed,
    )
    .action((instruction: string | undefined, options: RunOptions) =>
      runWith(context, instruction?.trim() === '' ? undefined : instruction, options),
    );
}

async function runWith(
  context: CliContext,
  instruction: string | undefined,
  { agent = COMPACT_AGENT, ...options }: RunOptions,
): Promise<void> {
  const seed = options.seed ?? String(context.clock.now());
  if (agent === COMPACT_AGENT) return run(context, instruction, { ...options, seed });
  const { weights, ...others } = options;
  if (weights !== undefined)
    throw new RangeError(
      `--weights ${weights} has no effect on the agent '${agent}', whose weights are on its server. Omit one of the two options.`,
    );
  await runAgent(context, instruction, { ...others, agent, seed });
}

interface RunWeightsOptions extends Omit<RunOptions, 'agent'> {
  readonly seed: string;
}

async function run(
  context: CliContext,
  instruction: string | undefined,
  { weights, app, steps, seed }: RunWeightsOptions,
): Promise<void> {
  const width = widthOfOutput(context.output) + MARGIN;
  const say = (...lines: readonly StyledLine[]): void => printLines(context, lines);
  await withSavedPolicy(
    context.entries.inference,
    weights,
    async ({ file, policy, suite, inference }) => {
      const tasks = tasksFor(suite, policy.tasks, app);
      const instance =
        instruction === undefined
          ? randomInstance(suite, tasks, seeded(seed))
          : instanceFor(suite, tasks, instruction);
      const attempt = await inference.call('attempt', { instance, instruction, steps });
      const about = aboutInstance(instance);
      say([], [strong(attempt.instruction)], [faint(about)], [faint(`weights: ${file}`)], []);
      // Rows may be cut. Results and file names are printed whole.
      say(...stepsIn(attempt, width).map(line => cut(line, width - MARGIN)), []);
      const results = resultLines(attempt);
      const film = await writeFilm(
        join(context.root, '..', 'attempts'),
        filmstrip(attempt, about, results.join(' ')),
      );
      say(...results.map((line): StyledLine => [plain(line)]), [], [faint(`All screens: ${film}`)], []);
    },
    context.folder,
  );
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
