// npm run bench -- [NAME]: runs benchmarks, all of them without a name; `results` writes the page of what they came to.

import { parseArgs } from 'node:util';
import { growRoomily } from '../rpc/heap-flags.ts';
import { ablation } from './curation/ablation.ts';
import { curation } from './curation/curation.ts';
import { data } from './data.ts';
import { decoupling, decouplingReal } from './decoupling/decoupling.ts';
import { scale } from './decoupling/scale.ts';
import { docker } from './docker/docker.ts';
import { dockerLearn } from './docker-learn.ts';
import { engine } from './engine/engine.ts';
import { hour } from './hour.ts';
import { learn } from './learn.ts';
import { panels } from './panels/panels.ts';
import { endurance } from './pocket/endurance.ts';
import { pocket } from './pocket/pocket.ts';
import { type Benchmark, type Options, OUT, Report, type ReportOptions } from './report.ts';
import { theseVersions, thisBuild, thisMachine } from './results/here.ts';
import { RESULTS, writeResults } from './results/write.ts';

// As the program does.
growRoomily();

const BENCHMARKS: readonly Benchmark[] = [
  ...[
    engine,
    pocket,
    endurance,
    data,
    decoupling,
    decouplingReal,
    scale,
    learn,
    curation,
    ablation,
    hour,
    panels,
    docker,
    dockerLearn,
  ],
];
/** Options that ask for another way of measuring the same. */
const VARIANTS = ['real', 'ablation', 'learn'] as const;
/** No benchmark, but the page of what they came to. */
const PAGE = 'results';

const list = BENCHMARKS.map(
  ({ name, variant, summary }) =>
    `  ${(variant === undefined ? name : `${name} --${variant}`).padEnd(20)} ${summary}`,
);
const USAGE = [
  'npm run bench -- [NAME] [--json] [--seeds N] [--minutes M] [--out FOLDER] [--fresh]',
  '',
  ...list,
  `  ${PAGE.padEnd(20)} writes ${RESULTS.page} and its pictures, of what lies in ${RESULTS.data}`,
  '',
  '  --table FILE   real rewards, for curation',
  `  --out FOLDER   where the outcome is kept (${OUT})`,
  '  --fresh        measures anew what an interrupted run had finished; otherwise it goes on from there',
].join('\n');

/** Each benchmark has its own number of seeds, unless somebody says one. */
type Asked = Omit<Options, 'seeds'> & Partial<Options>;

interface Chosen {
  readonly benchmarks: readonly Benchmark[];
  readonly options: Asked;
  readonly folder: string;
  readonly fresh: boolean;
}

function chosen(args: readonly string[]): Chosen {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      table: { type: 'string' },
      real: { type: 'boolean', default: false },
      ablation: { type: 'boolean', default: false },
      learn: { type: 'boolean', default: false },
      out: { type: 'string', default: OUT },
      fresh: { type: 'boolean', default: false },
    },
  });
  const [variant, other] = VARIANTS.filter(name => values[name]);
  if (other !== undefined)
    throw new RangeError(`--${variant} and --${other} are two benchmarks: run one after the other.`);
  const all = BENCHMARKS.filter(benchmark => benchmark.variant === variant);
  const unknown = positionals.find(name => !all.some(benchmark => benchmark.name === name));
  if (unknown !== undefined)
    throw new RangeError(
      `There is no benchmark '${unknown}'${variant === undefined ? '' : ` with --${variant}`}.`,
    );
  const options: Asked = {
    json: values.json,
    ...(values.seeds !== undefined && { seeds: whole('seeds', values.seeds) }),
    ...(values.minutes !== undefined && { minutes: positive('minutes', values.minutes) }),
    ...(values.table !== undefined && { table: values.table }),
  };
  const benchmarks = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { benchmarks, options, folder: values.out, fresh: values.fresh };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new RangeError(`--${name} must be a positive number, not '${text}'.`);
}

function whole(name: string, text: string): number {
  const number = positive(name, text);
  if (Number.isInteger(number)) return number;
  throw new RangeError(`--${name} must be a whole number, not '${text}'.`);
}

async function run(benchmark: Benchmark, asked: Asked, here: Omit<ReportOptions, 'settings'>) {
  const options: Options = { ...asked, seeds: asked.seeds ?? benchmark.seeds ?? 1 };
  // What is asked of it and changes what it measures.
  const { json, ...settings } = options;
  const report = new Report(benchmark, { ...here, settings, quiet: json });
  report.say(`${benchmark.name}: ${benchmark.summary}`);
  const outcome = report.finished(await benchmark.run(report, options), options.seeds);
  const { bench, figures, config, versions, seeds } = outcome;
  process.stdout.write(`${JSON.stringify({ bench, figures, config, versions, seeds })}\n`);
}

async function runAll(args: readonly string[]): Promise<void> {
  const { benchmarks, options, folder, fresh } = chosen(args);
  const here = {
    ...{ folder, fresh, quiet: options.json, now: Date.now },
    ...{ machine: thisMachine(), versions: theseVersions(), build: thisBuild() },
  };
  for (const benchmark of benchmarks) await run(benchmark, options, here);
}

try {
  const [first, ...others] = process.argv.slice(2);
  if (process.argv.includes('--help')) process.stdout.write(`${USAGE}\n`);
  else if (first !== PAGE) await runAll(process.argv.slice(2));
  else if (others.length === 0) await writeResults(text => process.stderr.write(`${text}\n`));
  else throw new RangeError(`'${PAGE}' takes nothing else, not '${others[0]}'.`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}\n`);
  process.exitCode = 1;
}
