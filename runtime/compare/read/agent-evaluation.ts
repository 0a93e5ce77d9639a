// Reads an evaluation of an agent, which `dartboard eval --agent` stored.

import { closestName } from '../../config/closest-name.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import { sum } from '../../core/sum.ts';
import type { Summary } from '../../data/files/summary.ts';
import type { CostSample, RecordedEvaluation } from '../record.ts';
import { deletedEpisodes, readPlaces, trajectoryPlaces } from './evaluation-files.ts';
import { judgedEpisodes, uniqueRows } from './judged-episodes.ts';

/** `dartboard eval --agent --json` prints it as `evaluation`. */
const EVALUATION_NAME = /^(evaluate-[0-9a-z]+)\./;

/** `root` is the folder of runs. Rejects if there is no such evaluation. */
export async function readAgentEvaluation(root: string, name: string): Promise<RecordedEvaluation> {
  const isOwn = (id: string): boolean => id.startsWith(`${name}.`);
  const { episodes: stored, unreadable } = await readPlaces(await trajectoryPlaces(root, undefined, isOwn));
  const deleted = await deletedEpisodes(root, name, ({ id }) => isOwn(id));
  const rows = uniqueRows([...stored, ...deleted]);
  const [first] = rows;
  if (first === undefined) throw new RangeError(await noSuchEvaluation(root, name));
  const startedAt = rows.reduce((earliest, row) => Math.min(earliest, row.startedAt), first.startedAt);
  const endedAt = rows.reduce((latest, row) => Math.max(latest, row.endedAt), first.endedAt);
  const cost = costOf(rows);
  return {
    kind: 'evaluation',
    name,
    agent: first.agent ?? COMPACT_AGENT,
    startedAt,
    seconds: (endedAt - startedAt) / 1000,
    ...(cost !== undefined && { cost }),
    steps: sum(rows.map(({ steps }) => steps)),
    ...judgedEpisodes(rows),
    missing: unreadable.map(why => `${why} The evaluation lacks this episode.`),
  };
}

/** Undefined if no language model played. */
function costOf(rows: readonly Summary[]): CostSample | undefined {
  const replies = rows.flatMap(row => row.replies ?? []);
  if (replies.length === 0) return undefined;
  const money = replies.flatMap(({ cost }) => cost ?? []);
  return {
    tokens: sum(replies.map(each => each.promptTokens + each.completionTokens)),
    ...(money.length === replies.length && { money: sum(money) }),
  };
}

async function noSuchEvaluation(root: string, name: string): Promise<string> {
  const places = await trajectoryPlaces(root, undefined, id => EVALUATION_NAME.test(id));
  const names = [...new Set(places.map(({ id }) => EVALUATION_NAME.exec(id)?.[1] ?? ''))].sort();
  const closest = closestName(name, names) ?? names.at(-1);
  const hint =
    closest === undefined
      ? "This folder has none. 'dartboard eval --agent NAME --json' makes one and prints its name as 'evaluation'."
      : `Did you mean '${closest}'? This folder has ${names.length}.`;
  return `No evaluation is called '${name}' in '${root}'. ${hint}`;
}
