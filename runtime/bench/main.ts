// npm run bench -- NAME [--json] [--seeds N] [--minutes M] [--real]; without a name all benchmarks run.

import { parseArgs } from 'node:util';
import { data } from './data.ts';
import { decoupling, decouplingReal } from './decoupling/decoupling.ts';
import { scale } from './decoupling/scale.ts';
import { engine } from './engine/engine.ts';
import { learn } from './learn.ts';
import { endurance } from './pocket/endurance.ts';
import { pocket } from './pocket/pocket.ts';
import { type Benchmark, type Options, Report } from './report.ts';

const BENCHMARKS: readonly Benchmark[] = [engine, pocket, endurance, data, decoupling, scale, learn];
/** The same with real parts in place of models, where `--real` asks for it. */
const REAL: readonly Benchmark[] = [decouplingReal];
const FOLDER = 'bench-results';

const USAGE = [
  'npm run bench -- [NAME] [--json] [--seeds N] [--minutes M] [--real]',
  '',
  ...BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`),
].join('\n');

function chosen(args: readonly string[]): {
  readonly benchmarks: readonly Benchmark[];
  readonly options: Options;
} {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      seeds: { type: 'string', default: '1' },
      minutes: { type: 'string' },
      real: { type: 'boolean', default: false },
    },
  });
  const table = values.real ? REAL : BENCHMARKS;
  const unknown = positionals.find(name => !table.some(benchmark => benchmark.name === name));
  if (unknown !== undefined)
    throw new RangeError(`There is no benchmark '${unknown}'${values.real ? ' with real parts' : ''}.`);
  const minutes = values.minutes === undefined ? {} : { minutes: positive('minutes', values.minutes) };
  return {
    benchmarks: table.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    options: { json: values.json, seeds: positive('seeds', values.seeds), ...minutes },
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new RangeError(`--${name} must be a positive number, not '${text}'.`);
}

async function run(benchmark: Benchmark, options: Options): Promise<void> {
  const report = new Report(benchmark.name, options, FOLDER);
  report.say(`${benchmark.name}: ${benchmark.summary}`);
  const { figures, config, versions } = await benchmark.run(report, options);
  report.finished();
  process.stdout.write(
    `${JSON.stringify({ bench: benchmark.name, figures, config, versions, seeds: options.seeds })}\n`,
  );
}

try {
  const { benchmarks, options } = chosen(process.argv.slice(2));
  for (const benchmark of benchmarks) await run(benchmark, options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}\n`);
  process.exitCode = 1;
}
