// `dartboard eval --agent`: evaluates an agent. The evaluation is a collection that stores every episode, in the daemon if one runs.

import { relative, resolve } from 'node:path';
import { evaluationReport } from '../collect/evaluation-report.ts';
import type { SpentTokens } from '../endpoints/budget.ts';
import type { Suite } from '../environments/suite.ts';
import type { CollectionState, CollectPolicy } from '../protocol/daemon/collection.ts';
import type { EpisodeResult } from '../protocol/daemon/episode-result.ts';
import type { EvaluationEnd } from '../protocol/task-verdict.ts';
import { rated } from '../run/number-format.ts';
import { collectorFor, followCollection, resultsOf, userName } from './collector.ts';
import type { CliContext } from './context.ts';
import { type JunitEvaluation, junitTasksOfEpisodes, prepareJunit, writeJunit } from './eval-junit.ts';
import { requireSuccess } from './eval-least.ts';
import {
  type EvaluatedSuite,
  evaluatedSuite,
  instancesText,
  instancesToEvaluate,
  type SuiteOptions,
} from './eval-suite.ts';
import { type OsworldResultsOptions, prepareOsworldResults, writeOsworldResult } from './osworld-results.ts';
import { evaluationTable, figureLines } from './terminal/evaluation-lines.ts';
import { EvaluationProgress } from './terminal/evaluation-progress.ts';
import { faint, plain, strong } from './terminal/line.ts';
import { printLines, widthOfOutput } from './terminal/output.ts';

export interface AgentEvalOptions extends SuiteOptions {
  readonly agent: string;
  readonly weights?: string;
  readonly instances?: number;
  readonly temperature?: number;
  readonly parallel?: number;
  readonly seed?: string;
  readonly json?: boolean;
  readonly out?: string;
  /** A file for the results as JUnit XML. */
  readonly junit?: string;
  /** The least success rate in percent; below it the command fails. */
  readonly atLeast?: number;
}

type EvalSettings = AgentEvalOptions & { readonly instances: number };

interface Evaluated {
  readonly last: CollectionState;
  readonly episodes: readonly EpisodeResult[];
  readonly failedRequests: Readonly<Record<string, number>>;
  readonly spent: SpentTokens | undefined;
}

export async function evaluateAgent(context: CliContext, given: AgentEvalOptions): Promise<void> {
  const { folder, root } = context;
  const { agent, out, junit, atLeast } = given;
  const stop = context.stopSignal();
  const startedAt = context.clock.now();
  if (junit !== undefined) await prepareJunit(folder, junit);
  const evaluated = await evaluatedSuite(folder, given);
  const { config, suite, wanted } = evaluated;
  const options = { ...given, instances: given.instances ?? instancesToEvaluate(config.environments.kind) };
  const osworld: OsworldResultsOptions | undefined =
    out === undefined
      ? undefined
      : { out: resolve(folder, out), root, agent, suite, kind: config.environments.kind };
  if (out !== undefined) await prepareOsworldResults(folder, out);
  const collector = await collectorFor(context, 'dartboard eval');
  const progress = options.json ? undefined : new EvaluationProgress(context);
  try {
    const request = {
      ...{ config, who: userName(), by: policyOf(options), evaluates: options.split },
      ...{ instances: options.instances, accepts: false },
      ...(wanted !== undefined && { wanted }),
    };
    const begun = await collector.start(request, stop);
    const episodes: EpisodeResult[] = [];
    let problem: string | undefined;
    let failedRequests: Evaluated['failedRequests'] = {};
    let spent: Evaluated['spent'];
    const last = await followCollection(collector, begun, stop, async state => {
      const news = await resultsOf(collector, begun.collection, episodes.length);
      ({ failedRequests, spent } = news);
      for (const episode of news.episodes) {
        if (osworld !== undefined) await writeOsworldResult(episode, osworld);
        episodes.push(episode);
      }
      progress?.show(state, stop.aborted);
      if (progress === undefined && state.problem !== undefined && state.problem !== problem)
        context.printError(state.problem);
      problem = state.problem;
    });
    progress?.end();
    const end = endOf(last);
    if (junit !== undefined)
      await writeJunit(folder, junit, {
        ...{ kind: config.environments.kind, suite, instances: options.instances, startedAt, end },
        about: aboutOf(options, last),
        tasks: junitTasksOfEpisodes(tasksOf(evaluated, options), options.instances, episodes),
      });
    print(context, options, suite, { last, episodes, failedRequests, spent });
    if (last.status === 'failed')
      throw new Error(`The evaluation failed: ${last.message ?? 'no reason given'}`);
    requireSuccess(atLeast, evaluationReport(episodes), end);
  } finally {
    progress?.end();
    await collector.close();
  }
}

function policyOf({ agent, weights, temperature = 0, parallel, seed }: AgentEvalOptions): CollectPolicy {
  return {
    ...{ kind: 'agent', agent, rollouts: 1, temperature },
    ...(weights !== undefined && { from: weights }),
    ...(parallel !== undefined && { parallel }),
    ...(seed !== undefined && { seed }),
  };
}

/** Followed to its end, a collection does not play any more. */
const endOf = ({ status, message }: CollectionState): EvaluationEnd => ({
  status: status === 'playing' ? 'stopped' : status,
  message,
});

/** The planned tasks, in the order of the suite or of `--tasks`. */
const tasksOf = ({ suite, wanted }: EvaluatedSuite, { split }: AgentEvalOptions): readonly string[] => {
  if (wanted === undefined) return suite.tasks(split);
  return 'tasks' in wanted ? wanted.tasks : wanted.tiers.flatMap(tier => suite.tasks(split, tier));
};

const aboutOf = (
  options: AgentEvalOptions,
  { told, collection }: CollectionState,
): JunitEvaluation['about'] => {
  const { agent, split, temperature = 0, seed } = options;
  return { agent, told, evaluation: collection, split, temperature, seed };
};

/** The object that `--json` prints; docs/agents.md documents it. */
function jsonOf(options: EvalSettings, { last, episodes, failedRequests, spent }: Evaluated): object {
  const { agent, split, instances, temperature = 0 } = options;
  return {
    ...{ agent, told: last.told, evaluation: last.collection, status: last.status },
    ...(last.message !== undefined && { message: last.message }),
    ...{ split, instances, temperature, planned: last.tries },
    ...evaluationReport(episodes, spent),
    ...{ failedRequests, episodes },
  };
}

function print(context: CliContext, options: EvalSettings, suite: Suite, evaluated: Evaluated): void {
  const { output, folder } = context;
  if (options.json) {
    output.write(`${JSON.stringify(jsonOf(options, evaluated))}\n`);
    return;
  }
  const { last, episodes, failedRequests, spent } = evaluated;
  const report = evaluationReport(episodes, spent);
  const { out, split } = options;
  const early =
    last.status === 'ended'
      ? []
      : [`Stopped after ${episodes.length} of ${last.tries} episodes. They are stored.`];
  printLines(context, [
    [],
    report.trials === 0
      ? [strong('No episode was judged.')]
      : [strong(rated(report)), plain(`  on ${instancesText(suite, split)}`)],
    [faint(last.told)],
    [],
    ...evaluationTable(report, widthOfOutput(output)),
    [],
    ...[...figureLines(report, failedRequests), ...early].map(line => [plain(line)]),
    ...(out === undefined
      ? []
      : [[faint(`OSWorld results: ${relative(folder, resolve(folder, out)) || '.'}`)]]),
    [],
  ]);
}
