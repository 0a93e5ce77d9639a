// What `dartboard run` does: a policy tries an instruction on a desktop of the kind that it was trained on; each step is told, and what came of it.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { seeded } from '../core/rng.ts';
import type { Attempt, Place } from '../inference/calls.ts';
import { filmstrip, hundredths } from '../inference/filmstrip.ts';
import { anyPlace, placeFor, tasksFor } from '../inference/instance-search.ts';
import { runName } from '../run/run-folder.ts';
import { withPerformer } from './saved-policy.ts';
import { accent, cut, faint, indented, type Line, painted, plain, strong } from './terminal/line.ts';
import { hasColour, type Output } from './terminal/output.ts';

export interface Run {
  readonly entry: URL;
  /** Undefined for a task of the suite, with its own instruction. */
  readonly instruction: string | undefined;
  readonly weights: string | undefined;
  readonly app: string | undefined;
  readonly steps: number;
  /** Chooses the task where no instruction is given. */
  readonly seed: string;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What was written on the command line; else what an editor says, which knows no shell that takes every text as it is. */
export function instructionIn(
  [written, ...more]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (more.length > 0)
    throw new RangeError(`An instruction is one text: put it in quotes. There is '${more[0]}' behind it.`);
  const instruction = written ?? environment['DARTBOARD_INSTRUCTION'] ?? '';
  return instruction.trim() === '' ? undefined : instruction;
}

export async function run(options: Run): Promise<void> {
  const { entry, instruction, weights, app, steps, seed, output, environment } = options;
  const colour = hasColour(output, environment);
  const width = (output.columns ?? 100) - 1;
  const say = (...lines: readonly Line[]): void => {
    output.write(
      indented(lines, 2)
        .map(line => `${painted(line, colour)}\n`)
        .join(''),
    );
  };
  await withPerformer(entry, weights, async ({ file, policy, suite, performer }) => {
    const tasks = tasksFor(suite, policy.tasks, app);
    const place =
      instruction === undefined ? anyPlace(suite, tasks, seeded(seed)) : placeFor(suite, tasks, instruction);
    const attempt = await performer.call('attempt', { place, instruction, steps });
    const about = aboutPlace(place);
    say([], [strong(attempt.instruction)], [faint(about)], [faint(`with ${file}`)], []);
    // Sentences may be cut; what is to be read to its end, or clicked, is not.
    say(...stepsIn(attempt, width).map(line => cut(line, width - 2)), []);
    const came = whatCame(attempt);
    const film = await keptFilm(file, filmstrip(attempt, about, came.join(' ')));
    say(...came.map((line): Line => [plain(line)]), [], [faint(`The screens: ${film}`)], []);
  });
}

/** Numbered, each with how sure it was and what it nearly did. */
function stepsIn({ steps }: Attempt, width: number): readonly Line[] {
  const longest = Math.max(12, ...steps.map(({ sentence }) => sentence.length));
  const broad = Math.min(longest, Math.max(20, width - 44));
  const head = [faint(`    ${'what it does'.padEnd(broad)}  how sure   and nearly`)];
  const rows = steps.map(({ sentence, sure, nearly }, index): Line => {
    const [what] = cut([plain(sentence)], broad).map(({ text }) => text);
    const shown = (what ?? '').length < sentence.length ? `${what}…` : sentence;
    const other = nearly === undefined ? '' : `   ${nearly.sentence} (${hundredths(nearly.probability)})`;
    return [
      faint(`${String(index + 1).padStart(2)}  `),
      plain(shown.padEnd(broad)),
      accent(`  ${hundredths(sure).padStart(8)}`),
      faint(other),
    ];
  });
  return [head, ...rows];
}

const aboutPlace = ({ task, seed }: Place): string => `on the desktop of ${task}, instance ${seed}`;

const ENDINGS: Readonly<Record<Attempt['ending'], string>> = {
  finished: 'It said that it is done.',
  fail: 'It said that it cannot be done.',
  capped: 'It had no more steps, and did not say that it is done.',
};

function whatCame({ ending, deed, changes, success }: Attempt): readonly string[] {
  const verdict = success === undefined ? [] : [success ? 'The task is solved.' : 'The task is not solved.'];
  const done = deed === undefined ? changedWords(changes) : [`What it did: “${deed}”`];
  return [[ENDINGS[ending], ...done].join(' '), ...verdict];
}

/** Where nobody can tell what changed, nothing is said. */
function changedWords(changes: Attempt['changes']): readonly string[] {
  if (changes === undefined) return [];
  const [first, ...more] = changes;
  if (first === undefined) return ['Nothing was changed.'];
  const others = more.length > 3 ? `, and ${more.length - 3} more` : '';
  return [`What changed: ${[first, ...more.slice(0, 3)].join(', ')}${others}.`];
}

/** Beside the weights, so that it stays with them. */
async function keptFilm(weights: string, film: string): Promise<string> {
  const folder = join(dirname(weights), 'attempts');
  const file = join(folder, `${runName(new Date(), 'attempt')}.html`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, film);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The screens cannot be kept in '${folder}' (${reason}); copy the weights to a folder that can be written.`,
    );
  }
  return relative('', file);
}
