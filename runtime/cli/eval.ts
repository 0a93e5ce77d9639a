// `dartboard eval`: evaluates saved weights, or an agent, and prints the success of each task with its confidence interval.

import { type Command, Option } from 'commander';
import type { TaskEvaluation } from '../data/evaluation.ts';
import { clustered } from '../data/interval.ts';
import { SPLITS, type Suite, type TaskSplit } from '../environments/suite.ts';
import { worstFirst } from '../inference/scores.ts';
import type { SavedPolicy } from '../run/folders/policy-file.ts';
import { count, rated } from '../run/number-format.ts';
import { trainedTasks } from '../run/suite.ts';
import type { CliContext } from './context.ts';
import { type AgentEvalOptions, evaluateAgent } from './eval-agent.ts';
import { junitTasksOfScores, prepareJunit, writeJunit } from './eval-junit.ts';
import { requireSuccess } from './eval-least.ts';
import { instancesText, instancesToEvaluate } from './eval-suite.ts';
import {
  jsonOption,
  parallelOption,
  parsePercent,
  parseSeed,
  parseTaskIds,
  parseTemperatureOrZero,
  tierOption,
  WEIGHTS_HELP,
  wholeNumber,
} from './options.ts';
import { withSavedPolicy } from './saved-policy.ts';
import { faint, plain, type StyledLine, strong } from './terminal/line.ts';
import { printLines, widthOfOutput } from './terminal/output.ts';
import { successTable } from './terminal/success-table.ts';

const MAX_INSTANCES = 10_000;

interface EvalOptions extends Omit<AgentEvalOptions, 'agent'> {
  readonly agent?: string;
}

export function addEvalCommand(program: Command, context: CliContext): void {
  program
    .command('eval')
    .description(
      'Evaluate saved weights, or an agent with --agent: success per task, with 95 % confidence intervals.',
    )
    .option('--agent <name>', "agent to evaluate: an entry of 'agents' in dartboard.json, or compact")
    .option('--weights <file>', WEIGHTS_HELP)
    .addOption(
      new Option(
        '--split <name>',
        'test: new instances of trained tasks. train: training instances. unseen: other kinds of tasks',
      )
        .choices(SPLITS)
        .default('test'),
    )
    .addOption(
      tierOption(
        'difficulty of the tasks (default: the trained tasks; all with --agent or --split unseen)',
      ).conflicts('tasks'),
    )
    .option(
      '--instances <number>',
      'instances of each task (default: 20; 1 with guests and stored trajectories, whose tasks have one)',
      wholeNumber(1, MAX_INSTANCES),
    )
    .addOption(jsonOption())
    .option('--junit <file>', 'also write the results as JUnit XML for a CI server')
    .option(
      '--at-least <percent>',
      'fail with exit code 1 if the success rate is lower, or if the evaluation is stopped',
      parsePercent,
    )
    .optionsGroup('With --agent:')
    .option(
      '--suite <suite>',
      'pocket, docker, web, guest, offline, or a folder of task files (default: that of dartboard.json)',
    )
    .option('--tasks <ids>', 'tasks to evaluate, as mail-star,notes-write', parseTaskIds)
    .option(
      '--temperature <number>',
      'multiplies the temperature of the agent; 0 takes the likeliest choice (default: 0)',
      parseTemperatureOrZero,
    )
    .option('--seed <text>', 'seed of the requests; equal seeds give equal requests', parseSeed)
    .addOption(parallelOption())
    .option('--out <folder>', "also write the results to a folder in OSWorld's layout")
    .action(({ agent, ...options }: EvalOptions) =>
      agent === undefined
        ? evaluate(context, withoutAgentOptions(options))
        : evaluateAgent(context, { ...options, agent }),
    );
}

const AGENT_OPTIONS = ['suite', 'tasks', 'temperature', 'seed', 'parallel', 'out'] as const;

type WeightsEvalOptions = Omit<AgentEvalOptions, 'agent' | (typeof AGENT_OPTIONS)[number]>;

function withoutAgentOptions(options: Omit<AgentEvalOptions, 'agent'>): WeightsEvalOptions {
  const used = AGENT_OPTIONS.find(name => options[name] !== undefined);
  if (used === undefined) return options;
  throw new RangeError(
    `--${used} has no effect without --agent. Name an agent, such as 'compact' for saved weights.`,
  );
}

async function evaluate(context: CliContext, options: WeightsEvalOptions): Promise<void> {
  const { weights, split, tier: tiers, json, junit, atLeast } = options;
  const startedAt = context.clock.now();
  if (junit !== undefined) await prepareJunit(context.folder, junit);
  await withSavedPolicy(
    context.entries.inference,
    weights,
    async ({ file, policy, config, suite, inference }) => {
      const tasks = tiers?.flatMap(tier => suite.tasks(split, tier)) ?? tasksOf(suite, split, policy.tasks);
      if (tasks.length === 0) throw new RangeError(noTasks(split, tiers !== undefined, file, policy));
      const { instances = instancesToEvaluate(config.environments.kind) } = options;
      // The policy takes its likeliest actions: playing an instance twice adds no information.
      if (split === 'train' && instances > suite.trainSeeds)
        throw new RangeError(
          `--instances ${instances} exceeds the ${suite.trainSeeds} training instances of a task. Give at most ${suite.trainSeeds}.`,
        );
      const scores = await inference.call('evaluate', { split, tasks, instances });
      const all = clustered(scores);
      if (junit !== undefined)
        await writeJunit(context.folder, junit, {
          ...{ kind: config.environments.kind, suite, instances, startedAt, end: { status: 'ended' } },
          about: {
            ...{ weights: file, run: policy.by?.run, 'weights.version': policy.by?.version },
            ...{ mode: policy.mode, split },
          },
          tasks: junitTasksOfScores(instances, scores),
        });
      if (json) {
        const { mode, seed } = policy;
        const result = { weights: file, mode, seed, split, instances, ...all, tasks: worstFirst(scores) };
        context.output.write(`${JSON.stringify(result)}\n`);
      } else
        printLines(context, [
          [],
          all.trials === 0
            ? [strong('No episode was judged.')]
            : [strong(rated(all)), plain(`  on ${instancesText(suite, split)}`)],
          [faint(`${policy.mode}, ${trainedOn(policy)}, seed ${policy.seed}`)],
          [faint(`weights: ${file}`)],
          [],
          ...successTable(scores, widthOfOutput(context.output)),
          ...brokenLines(scores),
          [],
        ]);
      requireSuccess(atLeast, all, { status: 'ended' });
    },
    context.folder,
  );
}

function noTasks(split: TaskSplit, hasTiers: boolean, file: string, { tasks }: SavedPolicy): string {
  const kinds = split === 'unseen' ? ' of kinds that never train' : '';
  if (hasTiers)
    return `These desktops have no tasks${kinds} in the requested tiers. Choose others with --tier.`;
  if (split === 'unseen') return `These desktops have no tasks${kinds}. Choose another --split.`;
  return `'${file}' was trained on tasks that do not exist here, such as '${tasks[0]}'. Set 'suite.files' to their folder, or choose others with --tier.`;
}

/** An episode that broke with its desktop says nothing about the policy. */
function brokenLines(scores: readonly TaskEvaluation[]): readonly StyledLine[] {
  const broken = scores.reduce((sum, score) => sum + score.broken, 0);
  return broken === 0
    ? []
    : [[], [plain(`${count(broken)} episodes failed with their desktop and do not count.`)]];
}

const trainedOn = ({ tasks }: SavedPolicy): string =>
  tasks.length === 0 ? 'base weights' : `trained on ${tasks.length} tasks`;

const tasksOf = (suite: Suite, split: TaskSplit, trained: readonly string[]): readonly string[] =>
  split === 'unseen' ? suite.tasks(split) : trainedTasks(suite, trained);
