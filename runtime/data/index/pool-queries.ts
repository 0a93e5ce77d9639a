// Queries of the index about the success pool: members, the review queue, marks and suggestions. Read-only.

import {
  type GroupId,
  groupId,
  type TaskId,
  type TrajectoryId,
  taskId,
  trajectoryId,
} from '../../core/ids.ts';
import { parseMark, voteOf } from '../files/marks.ts';
import { latestSuggestion, type Suggestion } from '../files/suggestions.ts';
import { type ReviewFacts, type ReviewUncertainty, rankReviews, rankSuggested } from '../review-order.ts';
import type { SqlValue } from './database.ts';
import { conditionOf } from './filters.ts';
import { decoded, type IndexReader, isPresent, marksIn } from './index-reader.ts';
import type { Filter, TaskRate, TrajectoryIndex } from './queries.ts';
import { codeOf } from './tables.ts';
import { ratesOf } from './trajectory-queries.ts';

const SUCCESS = codeOf('outcome', 'success');
const BROKEN = codeOf('outcome', 'broken');
const EVALUATE = codeOf('purpose', 'evaluate');
const COLLECTED = [codeOf('purpose', 'collect'), codeOf('purpose', 'demonstrate')].join(', ');
/** The purposes of rollouts: an evaluation or a demonstration does not tell how hard a task is in training. */
const ROLLOUTS = ['train', 'collect'] as const;
const HINDSIGHT = codeOf('provenance', 'hindsight');
/** Larger than any time: collected successes of an instance precede all others. */
const COLLECTED_RANK = 1e15;

type PoolQueries = Pick<
  TrajectoryIndex,
  'waiting' | 'votes' | 'suggested' | 'members' | 'memberCounts' | 'marks'
>;

export function poolQueries(reader: IndexReader): PoolQueries {
  const { database } = reader;
  const memberCounts = async (): Promise<ReadonlyMap<TaskId, number>> => {
    const found = await database.all(
      'SELECT task, count(*) FROM trajectories WHERE in_pool = 1 GROUP BY task',
    );
    return new Map(found.map(([task, count]) => [taskId(reader.textOf(task)), Number(count)]));
  };
  return {
    memberCounts,
    async waiting({ offset, limit, order = 'coverage', secondOf, unsuggestedBy, ...filter }) {
      const members = await memberCounts();
      const ofRollouts = conditionOf({ ...filter, purposes: ROLLOUTS }, reader);
      const rates = new Map((await ratesOf(reader, ofRollouts)).map(rate => [rate.task, rate]));
      const all = await (secondOf === undefined
        ? openInstances(reader, filter)
        : secondOpinions(reader, filter, secondOf));
      const candidates =
        unsuggestedBy === undefined ? all : await withoutSuggestionsOf(reader, all, unsuggestedBy);
      const byCoverage = (a: Candidate, b: Candidate) =>
        (members.get(a.task) ?? 0) - (members.get(b.task) ?? 0) ||
        successShare(rates.get(a.task)) - successShare(rates.get(b.task)) ||
        (a.task === b.task ? b.rank - a.rank || (a.id < b.id ? -1 : 1) : a.task < b.task ? -1 : 1);
      const pageOf = <T>(all: readonly T[]): readonly T[] => all.slice(offset, offset + limit);
      const isByTeaching = order === 'teaching';
      // Trajectories that teach equally much keep this order too: that of a database can change with each write.
      const ordered = candidates.sort(byCoverage);
      // In the other orders only the page is read: reading all trajectories takes longer than the rest of the query.
      const read = isByTeaching
        ? ordered
        : pageOf(order === 'suggested' ? await bySuggestion(reader, ordered) : ordered);
      const ranked = rankReviews(await factsOf(reader, read), candidates);
      const reasons = new Map(ranked.map(each => [each.id, each.reasons]));
      const shown = (isByTeaching ? pageOf(ranked) : read).map(({ id }) => id);
      const suggestions = await suggestionsOf(reader, shown);
      const waiting = (await reader.byId(shown)).map(row => {
        const { task } = row.instance;
        const { successes = 0, trials = 0 } = rates.get(task) ?? {};
        const suggestion = latestSuggestion(suggestions.get(row.id) ?? []);
        return {
          ...{ row, members: members.get(task) ?? 0, successes, trials },
          reasons: reasons.get(row.id) ?? [],
          ...(suggestion !== undefined && { suggestion }),
        };
      });
      return { total: candidates.length, waiting };
    },
    async votes({ run }) {
      const { sql, values } = conditionOf(run === undefined ? {} : { run }, reader);
      const found = await database.all(
        `SELECT marked FROM trajectories JOIN marks USING (id) WHERE in_pool IS NOT NULL${sql}`,
        values,
      );
      return found.map(([json]) => marksIn(json).votes ?? []).filter(votes => votes.length > 1);
    },
    async suggested({ run }) {
      const { sql, values } = conditionOf(run === undefined ? {} : { run }, reader);
      const found = await database.all(
        `SELECT id, marked FROM trajectories JOIN marks USING (id)
          WHERE in_pool IS NOT NULL AND id IN (SELECT id FROM suggestions)${sql}`,
        values,
      );
      const suggestions = await suggestionsOf(
        reader,
        found.map(([id]) => trajectoryId(String(id))),
      );
      return found.map(([id, json]) => ({
        votes: marksIn(json).votes ?? [],
        suggestions: suggestions.get(trajectoryId(String(id))) ?? [],
      }));
    },
    async members({ offset, limit, tasks }) {
      const filter: Filter = { isInPool: true, ...(tasks !== undefined && { tasks }) };
      const { sql, values } = conditionOf(filter, reader);
      const [[total] = []] = await database.all(`SELECT count(*) FROM trajectories WHERE TRUE${sql}`, values);
      // Marks are numbered in order of creation, so the largest number is the latest mark.
      const latest = await database.all(
        `SELECT t.number, mark FROM trajectories AS t
          JOIN said AS s ON s.number = (SELECT max(number) FROM said WHERE said.id = t.id AND accepts = 1)
          WHERE TRUE${sql} ORDER BY s.number DESC LIMIT ? OFFSET ?`,
        [...values, limit, offset],
      );
      const rows = await reader.byNumber(latest.map(([number]) => Number(number)));
      const members = latest.flatMap(([number, json]) => {
        const row = rows.get(Number(number));
        const mark = parseMark(JSON.parse(String(json)));
        return row === undefined || mark === undefined ? [] : [{ row, who: mark.who, at: mark.at }];
      });
      return { total: Number(total), members };
    },
    async marks(id: TrajectoryId) {
      const found = await database.all('SELECT mark FROM said WHERE id = ? ORDER BY number', [id]);
      return found.flatMap(([json]) => parseMark(JSON.parse(String(json))) ?? []);
    },
  };
}

/** A trajectory of the queue. A higher rank is more recent, or collected. */
interface Candidate extends ReviewUncertainty {
  readonly task: TaskId;
  readonly rank: number;
  readonly isSuccess: boolean;
}

/** One success per instance without a member: the newest collected one, else the newest; among equal ones the one that arrived last. */
async function openInstances(reader: IndexReader, filter: Filter): Promise<Candidate[]> {
  const { database } = reader;
  const { sql, values } = conditionOf(filter, reader);
  const pooled = new Set(
    (await database.all('SELECT DISTINCT task, seed FROM trajectories WHERE in_pool = 1')).map(
      ([task, seed]) => `${task} ${seed}`,
    ),
  );
  const successes = `outcome = ${SUCCESS} AND purpose <> ${EVALUATE} AND provenance <> ${HINDSIGHT} AND in_pool IS NULL${sql}`;
  const table = `trajectories ${database.dialect.indexedBy('by_task')}`;
  // Groups in the order of the index, and one search in it for each: a window function would sort all successes.
  const found = await database.all(
    `SELECT task, seed, id, ended, best_collected, max_uncertainty, estimator FROM (
      SELECT task AS of_task, seed AS of_seed, max(ended) AS best,
        max(CASE WHEN purpose IN (${COLLECTED}) THEN ended END) AS best_collected
      FROM ${table} WHERE ${successes} GROUP BY task, seed
    ) AS instances JOIN ${table} ON task = of_task AND seed = of_seed AND ended = coalesce(best_collected, best)
    WHERE ${successes} AND (best_collected IS NULL OR purpose IN (${COLLECTED})) ORDER BY number`,
    [...values, ...values],
  );
  // A later row of an instance replaces an earlier one.
  const chosen = new Map(found.map(row => [`${row[0]} ${row[1]}`, row]));
  return [...chosen]
    .filter(([instance]) => !pooled.has(instance))
    .map(([, [task, , id, ended, collected, ...uncertainty]]) => {
      const rank = Number(ended) + (isPresent(collected) ? COLLECTED_RANK : 0);
      return candidate(reader, id, task, rank, SUCCESS, uncertainty);
    });
}

/** The trajectories on which others voted and this person did not. */
async function secondOpinions(reader: IndexReader, filter: Filter, who: string): Promise<Candidate[]> {
  const { sql, values } = conditionOf(filter, reader);
  const found = await reader.database.all(
    `SELECT id, task, ended, outcome, marked, max_uncertainty, estimator FROM trajectories JOIN marks USING (id)
      WHERE in_pool IS NOT NULL${sql}`,
    values,
  );
  return found
    .filter(([, , , , json]) => voteOf(marksIn(json), who) === undefined)
    .map(([id, task, ended, outcome, , ...uncertainty]) =>
      candidate(reader, id, task, ended, outcome, uncertainty),
    );
}

async function withoutSuggestionsOf(
  reader: IndexReader,
  candidates: readonly Candidate[],
  agent: string,
): Promise<Candidate[]> {
  const found = await reader.database.all('SELECT id FROM suggestions WHERE agent = ?', [agent]);
  const suggested = new Set(found.map(([id]) => String(id)));
  return candidates.filter(({ id }) => !suggested.has(id));
}

async function bySuggestion(
  reader: IndexReader,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const suggestions = await suggestionsOf(
    reader,
    candidates.map(({ id }) => id),
  );
  return rankSuggested(
    candidates.map(each => ({ ...each, suggestion: latestSuggestion(suggestions.get(each.id) ?? []) })),
  );
}

/** The latest one of each agent. */
async function suggestionsOf(
  { database }: IndexReader,
  wanted: readonly TrajectoryId[],
): Promise<ReadonlyMap<TrajectoryId, readonly Suggestion[]>> {
  const found = new Map<TrajectoryId, Suggestion[]>();
  const rows = await database.all(
    `SELECT suggestion FROM suggestions WHERE id IN (${database.dialect.texts}) ORDER BY agent`,
    [JSON.stringify(wanted)],
  );
  for (const [json] of rows) {
    const suggestion = JSON.parse(String(json)) as Suggestion;
    const { trajectory } = suggestion;
    found.set(trajectory, [...(found.get(trajectory) ?? []), suggestion]);
  }
  return found;
}

const candidate = (
  reader: IndexReader,
  id: SqlValue | undefined,
  task: SqlValue | undefined,
  rank: SqlValue | undefined,
  outcome: SqlValue | undefined,
  [uncertainty, estimator]: readonly SqlValue[],
): Candidate => ({
  ...{ id: trajectoryId(String(id)), task: taskId(reader.textOf(task)), rank: Number(rank) },
  isSuccess: outcome === SUCCESS,
  ...(isPresent(uncertainty) && { uncertainty: Number(uncertainty) }),
  ...(isPresent(estimator) && { estimator: decoded('estimator', estimator) }),
});

async function factsOf(
  reader: IndexReader,
  candidates: readonly Candidate[],
): Promise<readonly ReviewFacts[]> {
  const rows = await reader.byId(candidates.map(({ id }) => id));
  const groups = await groupResults(
    reader,
    rows.flatMap(({ group }) => group ?? []),
  );
  return rows.map(({ id, maxUncertainty, replies, ending, group, votes = [] }) => {
    const results = group && groups.get(group);
    return {
      ...{ id, votes },
      ...(maxUncertainty !== undefined && { uncertainty: maxUncertainty }),
      ...(replies !== undefined && { estimator: replies.estimator }),
      ...(ending !== undefined && { ending }),
      ...(results !== undefined && { group: results }),
    };
  });
}

/** Broken rollouts are no trials. */
async function groupResults({ database }: IndexReader, groups: readonly GroupId[]) {
  const rows = await database.all(
    `SELECT team, count(*) FILTER (WHERE outcome = ${SUCCESS}), count(*) FROM trajectories
      WHERE team IN (${database.dialect.texts}) AND outcome <> ${BROKEN} AND provenance <> ${HINDSIGHT} GROUP BY team`,
    [JSON.stringify(groups)],
  );
  return new Map(
    rows.map(([team, successes, trials]) => [
      groupId(String(team)),
      { successes: Number(successes), trials: Number(trials) },
    ]),
  );
}

/** 0 without trials, so that untried tasks count as hard. */
const successShare = (rate: TaskRate | undefined): number =>
  rate === undefined || rate.trials === 0 ? 0 : rate.successes / rate.trials;
