// `dartboard collect`: collects successes for the success pool before or beside training. A daemon of this folder collects if one
// runs; otherwise this process does.

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { total } from '../collect/attempt-counts.ts';
import { evaluationReport } from '../collect/evaluation-report.ts';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { Clock } from '../core/clock.ts';
import type { Tier } from '../environments/suite.ts';
import {
  AGENT_DEFAULTS,
  COLLECT_DEFAULTS,
  type CollectionState,
  type CollectPolicy,
  type WantedTasks,
} from '../protocol/daemon/collection.ts';
import { count, plural } from '../run/number-format.ts';
import { collectorFor, followCollection, resultsOf, userName } from './collector.ts';
import type { CliContext } from './context.ts';
import {
  minutesOption,
  parallelOption,
  parseTaskIds,
  parseTemperature,
  tierOption,
  WEIGHTS_HELP,
  wholeNumber,
} from './options.ts';
import { attemptTable } from './terminal/attempt-table.ts';
import { countsText } from './terminal/evaluation-lines.ts';
import { type Output, printLines, widthOfOutput } from './terminal/output.ts';

const MAX_INSTANCES = 32;
const MAX_ROLLOUTS = 1000;
const PROGRESS_INTERVAL_MS = 5000;

interface CollectOptions {
  readonly tier?: readonly Tier[];
  readonly tasks?: readonly string[];
  readonly from?: string;
  readonly oracle?: boolean;
  readonly agent?: string;
  readonly instances?: number;
  readonly rollouts?: number;
  readonly temperature?: number;
  readonly parallel?: number;
  readonly minutes?: number;
  readonly accept?: boolean;
}

export function addCollectCommand(program: Command, context: CliContext): void {
  program
    .command('collect')
    .description(
      'Collect successes for the success pool, hardest tasks first. Every run of this folder learns from the pool.',
    )
    .addOption(
      tierOption('tiers to play (default: the tasks of the weights, or of dartboard.json)').conflicts(
        'tasks',
      ),
    )
    .option('--tasks <ids>', 'tasks to play, as mail-star,notes-write', parseTaskIds)
    .option('--from <run>', WEIGHTS_HELP)
    .option('--agent <name>', "agent that plays: an entry of 'agents' in dartboard.json, or compact")
    .addOption(
      new Option('--oracle', 'play the scripted solutions, and accept them into the pool').conflicts([
        ...['agent', 'from', 'rollouts', 'temperature', 'parallel'],
      ]),
    )
    .option(
      '--instances <number>',
      `instances of each task (default: ${COLLECT_DEFAULTS.instances}; 1 where a task has only one)`,
      wholeNumber(1, MAX_INSTANCES),
    )
    .option(
      '--rollouts <number>',
      `attempts at each instance (default: ${COLLECT_DEFAULTS.rollouts}; ${AGENT_DEFAULTS.rollouts} with --agent)`,
      wholeNumber(1, MAX_ROLLOUTS),
    )
    .option(
      '--temperature <number>',
      `sampling temperature; 1 samples the policy as trained, or the agent as configured (default: ${COLLECT_DEFAULTS.temperature}; ${AGENT_DEFAULTS.temperature} with --agent)`,
      parseTemperature,
    )
    .addOption(parallelOption())
    .addOption(minutesOption('time limit (default: none)'))
    .option('--accept', 'accept successes into the pool at once (default: a person accepts them)')
    .action((options: CollectOptions) => collect(context, options));
}

const wantedTasks = ({ tier, tasks }: CollectOptions): WantedTasks | undefined =>
  tier !== undefined ? { tiers: [...tier] } : tasks && { tasks: [...tasks] };

function playerOf(options: CollectOptions): CollectPolicy {
  const { oracle, agent, from, parallel } = options;
  if (oracle) return { kind: 'script' };
  const defaults = agent === undefined ? COLLECT_DEFAULTS : AGENT_DEFAULTS;
  const { rollouts = defaults.rollouts, temperature = defaults.temperature } = options;
  const common = { ...(from !== undefined && { from }), rollouts, temperature };
  if (agent !== undefined)
    return { kind: 'agent', agent, ...common, ...(parallel !== undefined && { parallel }) };
  if (parallel !== undefined)
    throw new RangeError(
      `--parallel ${parallel} has no effect without --agent. Name an agent, or set 'environments.desktops' in dartboard.json.`,
    );
  return { kind: 'weights', ...common };
}

async function collect(context: CliContext, options: CollectOptions): Promise<void> {
  const { folder, clock, output } = context;
  const { minutes, oracle, accept, instances } = options;
  const stop = context.stopSignal();
  const { config } = resolve(await readConfig(join(folder, CONFIG_FILE)));
  const wanted = wantedTasks(options);
  const collector = await collectorFor(context, 'dartboard collect');
  try {
    const request = {
      ...{ config, who: userName(), by: playerOf(options) },
      ...(instances !== undefined && { instances }),
      accepts: oracle === true || accept === true,
      ...(wanted && { wanted }),
      ...(minutes !== undefined && { minutes }),
    };
    const begun = await collector.start(request, stop);
    output.write(
      `${begun.told}: ${plural(begun.instances, 'instance')} of ${plural(begun.tasks, 'task')}, ${plural(begun.tries, 'attempt')}.\n`,
    );
    const last = await followCollection(collector, begun, stop, progressLines(output, clock));
    printLines(context, [[], ...attemptTable(last, widthOfOutput(output)), []]);
    const { episodes } = await resultsOf(collector, begun.collection, 0);
    for (const line of closingLines(last, evaluationReport(episodes).brokenBy)) output.write(`${line}\n`);
    if (last.status === 'failed') throw new Error(`Collecting failed: ${last.message ?? 'no reason given'}`);
  } finally {
    await collector.close();
  }
}

/** Prints a line at most every five seconds. */
function progressLines(output: Output, clock: Clock): (state: CollectionState) => void {
  let printedAt = clock.now();
  return state => {
    if (clock.now() - printedAt < PROGRESS_INTERVAL_MS || state.status !== 'playing') return;
    printedAt = clock.now();
    const { tried, succeeded, broken } = total(state.rows);
    const why = state.problem === undefined ? '' : `; ${state.problem}`;
    output.write(
      `${count(tried + broken)} of ${count(state.tries)} attempts, ${count(succeeded)} succeeded${why}\n`,
    );
  };
}

function closingLines(last: CollectionState, brokenBy: Readonly<Record<string, number>>): readonly string[] {
  const { status, accepts } = last;
  const { broken, kept } = total(last.rows);
  const pool = accepts
    ? "They are in the success pool: 'dartboard train' and 'dartboard resume' use them."
    : 'They wait for a person to accept them. With --accept they enter the success pool at once.';
  return [
    ...(status === 'stopped' ? ['Stopped early. The successes so far are stored.'] : []),
    ...(broken > 0 ? [`${plural(broken, 'attempt')} broke and do not count: ${countsText(brokenBy)}.`] : []),
    kept === 0 ? 'No attempt succeeded, so nothing is stored.' : pool,
  ];
}
