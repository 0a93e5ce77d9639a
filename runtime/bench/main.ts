// npm run bench -- [NAME]: runs one benchmark, or all of them. `results` writes docs/results.md from their outcomes.

import { parseArgs } from 'node:util';
import { messageOf } from '../core/errors.ts';
import { growHeapFaster } from '../rpc/heap-flags.ts';
import { base, baseRecord } from './base.ts';
import { ablation } from './curation/ablation.ts';
import { controls } from './curation/controls.ts';
import { curation } from './curation/curation.ts';
import { recipes } from './curation/recipes.ts';
import { data } from './data.ts';
import { decoupling, decouplingReal } from './decoupling/decoupling.ts';
import { scale } from './decoupling/scale.ts';
import { demonstrations } from './demonstrations/demonstrations.ts';
import { dockerControls, dockerLarge } from './docker/controls.ts';
import { docker } from './docker/docker.ts';
import { dockerLearn } from './docker/learn.ts';
import { endpoint } from './endpoint/endpoint.ts';
import { engine } from './engine/engine.ts';
import { theseVersions, thisBuild, thisMachine } from './environment.ts';
import { hosts } from './hosts/hosts.ts';
import { learnOverNats } from './hosts/learn.ts';
import { manyDesktops } from './hosts/many-desktops.ts';
import { manyFaults } from './hosts/many-faults.ts';
import { hour } from './hour.ts';
import { learn } from './learn.ts';
import { microLearn } from './micro/learn.ts';
import { micro } from './micro/micro.ts';
import { openenv } from './openenv/openenv.ts';
import { osworld, osworldRecord } from './osworld/osworld.ts';
import { panels } from './panels/panels.ts';
import { endurance } from './pocket/endurance.ts';
import { pocket } from './pocket/pocket.ts';
import { type Benchmark, type BenchOptions, OUT, Report, type ReportOptions } from './report.ts';
import { RESULT_FILES, writeResults } from './results/write.ts';
import { manyHours } from './survive/hours/hours.ts';
import { killsAndStalls } from './survive/kills/kills.ts';
import { survive } from './survive/survive.ts';
import { miniwob, miniwobPixels, miniwobPublished, miniwobTaught } from './web/miniwob.ts';
import { miniwobControls } from './web/miniwob-controls.ts';
import { miniwobCuration } from './web/miniwob-curation.ts';
import { web } from './web/web.ts';

// The same heap settings as the product.
growHeapFaster();

const BENCHMARKS: readonly Benchmark[] = [
  ...[engine, pocket, endurance, data, decoupling, decouplingReal, scale],
  ...[
    learn,
    demonstrations,
    curation,
    ablation,
    recipes,
    controls,
    hour,
    panels,
    docker,
    dockerLearn,
    ...[dockerControls, dockerLarge],
    micro,
    microLearn,
    endpoint,
    web,
  ],
  ...[base, baseRecord],
  ...[miniwob, miniwobPixels, miniwobTaught, miniwobPublished, miniwobCuration, miniwobControls],
  ...[osworld, osworldRecord, openenv, hosts, manyFaults, manyDesktops, learnOverNats],
  ...[survive, killsAndStalls, manyHours],
];
/** Each is an option that selects one of several benchmarks with one name. */
const VARIANTS = [...new Set(BENCHMARKS.flatMap(({ variant }) => variant ?? []))];
const PAGE_COMMAND = 'results';

/** As the command line names it. */
const titleOf = ({ name, variant }: Benchmark): string =>
  variant === undefined ? name : `${name} --${variant}`;
/** Of the longest title. */
const NAME_WIDTH = 24;

const USAGE = [
  'npm run bench -- [NAME] [--json] [--seeds N] [--minutes M] [--out FOLDER] [--keep FOLDER] [--fresh]',
  '',
  ...BENCHMARKS.map(each => `  ${titleOf(each).padEnd(NAME_WIDTH)} ${each.summary}`),
  `  ${PAGE_COMMAND.padEnd(NAME_WIDTH)} writes ${RESULT_FILES.page} and its pictures from ${RESULT_FILES.data}`,
  '',
  '  --json         prints no progress, only the last line of JSON',
  '  --table FILE   recorded rewards, for the curation benchmark',
  '  --miniwob FOLDER  pages of MiniWoB++, for the benchmarks web and miniwob',
  '  --tasks FOLDER  task files of OSWorld, for the benchmark osworld',
  '  --faults N     injects so many faults, for the benchmark hosts',
  '  --desktops N   plays on so many desktops, for the benchmark hosts; --hosts M of them join (10)',
  '  --kills N      kills so many processes, for the benchmark survive; --stalls M stalls so many (50)',
  '  --hours N      plays until each desktop has so many hours, for the benchmark survive',
  '  --input NAME   repeats one input of the benchmark survive, as BORDER:NUMBER; with --kills, a run or one fault, as pocket:kill-3',
  `  --arms NAMES   measures only these arms, separated by commas: ${BENCHMARKS.filter(
    ({ arms }) => arms !== undefined,
  )
    .map(titleOf)
    .join(', ')}; the outcome has what was measured of others`,
  `  --out FOLDER   the folder of outcomes (${OUT})`,
  '  --keep FOLDER  keeps the folders of trainings there: checkpoints, trajectories and logs',
  '  --fresh        measures again what an interrupted run, or one with fewer seeds, has measured',
].join('\n');

async function main(args: readonly string[]): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...Object.fromEntries(VARIANTS.map(name => [name, flag])),
      // Some of the variants take a number.
      ...{ help: flag, json: flag, fresh: flag },
      ...{ seeds: { type: 'string' }, minutes: { type: 'string' }, table: { type: 'string' } },
      ...{ miniwob: { type: 'string' }, tasks: { type: 'string' }, keep: { type: 'string' } },
      ...{ input: { type: 'string' }, kills: { type: 'string' }, stalls: { type: 'string' } },
      ...{
        hours: { type: 'string' },
        faults: { type: 'string' },
        desktops: { type: 'string' },
        hosts: { type: 'string' },
        arms: { type: 'string' },
      },
      out: { type: 'string', default: OUT },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  if (positionals.includes(PAGE_COMMAND)) {
    if (args.length > 1) throw new RangeError(`'${PAGE_COMMAND}' takes no other arguments.`);
    return writeResults(text => process.stderr.write(`${text}\n`));
  }
  const given = new Map<string, unknown>(Object.entries(values));
  const [variant, second] = VARIANTS.filter(name => given.get(name));
  if (second !== undefined)
    throw new RangeError(`--${variant} and --${second} select two benchmarks. Run them one by one.`);
  const candidates = BENCHMARKS.filter(benchmark => benchmark.variant === variant);
  const unknown = positionals.find(name => !candidates.some(benchmark => benchmark.name === name));
  if (unknown !== undefined)
    throw new RangeError(`No benchmark is named '${[unknown, variant].filter(Boolean).join(' --')}'.`);
  const selected = candidates.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  for (const benchmark of selected) {
    const options: BenchOptions = {
      seeds: values.seeds === undefined ? (benchmark.seeds ?? 1) : positive('seeds', values.seeds, true),
      ...(values.minutes !== undefined && { minutes: positive('minutes', values.minutes) }),
      ...Object.fromEntries(
        (['faults', 'desktops', 'hosts', 'kills', 'stalls', 'hours'] as const).flatMap(name => {
          const value = values[name];
          return value === undefined ? [] : [[name, positive(name, value, true)]];
        }),
      ),
      ...(values.table !== undefined && { table: values.table }),
      ...(values.miniwob !== undefined && { miniwob: values.miniwob }),
      ...(values.tasks !== undefined && { tasks: values.tasks }),
      ...(values.input !== undefined && { input: values.input }),
      ...(values.arms !== undefined && { arms: armsOf(benchmark, values.arms) }),
    };
    if (values.arms !== undefined && values.fresh)
      throw new RangeError(
        `--arms ${values.arms} with --fresh would delete what was measured of the other arms. Leave one of the options out.`,
      );
    const { out: folder, keep, fresh, json: quiet } = values;
    const command = commandOf(benchmark, given);
    await run(benchmark, options, { folder, keep, fresh, quiet, command });
  }
}

/** As a reader would type it: files have other names elsewhere. */
function commandOf({ name, variant }: Benchmark, given: ReadonlyMap<string, unknown>): string {
  const numbers = ['seeds', 'minutes', 'faults', 'desktops', 'hosts', 'kills', 'stalls', 'hours', 'input'];
  const files = { table: 'FILE', miniwob: 'FOLDER', tasks: 'FOLDER' };
  return [
    name,
    ...(variant === undefined || numbers.includes(variant) ? [] : [`--${variant}`]),
    ...numbers.flatMap(each => (typeof given.get(each) === 'string' ? [`--${each} ${given.get(each)}`] : [])),
    ...Object.entries(files).flatMap(([each, what]) => (given.get(each) ? [`--${each} ${what}`] : [])),
  ].join(' ');
}

function armsOf({ name, arms = [] }: Benchmark, text: string): readonly string[] {
  const given = text.split(',');
  const unknown = given.find(arm => !arms.includes(arm));
  if (unknown === undefined) return given;
  throw new RangeError(
    arms.length === 0
      ? `--arms is '${text}', but the benchmark '${name}' measures no arms alone. Leave the option out.`
      : `--arms has '${unknown}'. The arms of the benchmark '${name}' are ${arms.join(', ')}.`,
  );
}

function positive(name: string, text: string, isWhole = false): number {
  const number = Number(text);
  if (number > 0 && (isWhole ? Number.isInteger(number) : Number.isFinite(number))) return number;
  throw new RangeError(`--${name} is '${text}'. Give a positive ${isWhole ? 'integer' : 'number'}.`);
}

async function run(
  benchmark: Benchmark,
  options: BenchOptions,
  files: Pick<ReportOptions, 'folder' | 'keep' | 'fresh' | 'quiet' | 'command'>,
): Promise<void> {
  const environment = { machine: thisMachine(), versions: theseVersions(), build: thisBuild() };
  const { minutes = benchmark.minutes, seeds } = options;
  // The folders of pages and tasks are elsewhere on another machine.
  const settings = benchmark.addsSeeds ? { minutes } : options;
  const report = new Report(benchmark, { ...files, ...environment, settings, now: Date.now });
  report.requireSeeds(seeds);
  report.say(`${benchmark.name}: ${benchmark.summary}`);
  const outcome = report.finish(await benchmark.run(report, options), seeds);
  const { bench, figures, config, versions } = outcome;
  process.stdout.write(`${JSON.stringify({ bench, figures, config, versions, seeds })}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `${messageOf(error)}\n\n'npm run bench -- --help' lists the benchmarks and their options.\n`,
  );
  process.exitCode = 1;
}
