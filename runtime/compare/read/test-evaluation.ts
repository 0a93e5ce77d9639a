// Finds the episodes of the last test evaluation of a run. run.json and curve.csv have its totals alone, so the episodes are those groups of
// evaluation trajectories whose totals equal a point of the curve.

import { sentenceOf } from '../../core/errors.ts';
import type { Summary } from '../../data/files/summary.ts';
import type { EvaluationPoint } from '../../protocol/daemon/state.ts';
import type { TestEvaluation } from '../record.ts';
import { deletedEpisodes, readPlaces, type TrajectoryPlace, trajectoryPlaces } from './evaluation-files.ts';
import { type JudgedEpisodes, judgedEpisodes } from './judged-episodes.ts';

export interface FoundEvaluation {
  readonly evaluation?: TestEvaluation;
  /** Why the last evaluation is missing. */
  readonly missing?: string;
}

/** An id of an evaluation trajectory: group, number of the order, attempt. */
const EVALUATION_ID = /^(.+\.e\d+)\.\d+\.\d+$/;

interface EvaluationGroup {
  readonly name: string;
  readonly places: readonly TrajectoryPlace[];
}

/** Searches the test evaluations of a whole curve from the newest to the oldest. */
export async function findTestEvaluation(
  root: string,
  run: string,
  curve: readonly EvaluationPoint[],
): Promise<FoundEvaluation> {
  const points = curve.filter(({ split, trials }) => split === 'test' && trials > 0).toReversed();
  const [newest] = points;
  if (newest === undefined) return {};
  const places = await trajectoryPlaces(root, run, id => EVALUATION_ID.test(id)).catch(sentenceOf);
  if (typeof places === 'string')
    return { missing: `Its trajectories cannot be read, so the run has no results per task. ${places}` };
  const groups = groupsOf(places);
  const reader = new GroupReader();
  const recorded = await firstMatch({ curve, points: points.slice(0, 1), groups, reader, deleted: [] });
  if (recorded !== undefined) return { evaluation: recorded };
  // Of this search only: an older evaluation does not explain why the last one is missing.
  const [damage] = reader.unreadable;
  const deleted = await deletedEpisodes(root, run, row => row.run === run && row.group !== undefined);
  const all = withDeletedGroups(groups, deleted);
  const older = await firstMatch({ curve, points, groups: all, reader, deleted });
  if (older?.version === newest.version) return { evaluation: older };
  const lack = damage === undefined ? 'are not all in the folder of the run' : 'cannot all be read';
  const why = `The ${newest.trials} episodes of the last test evaluation (version ${newest.version}) ${lack}`;
  const keep = 'Keep more trajectories with the setting data.retention';
  return older === undefined
    ? { missing: `${why}, so the run has no results per task. ${damage ?? `${keep}, and train again.`}` }
    : {
        evaluation: older,
        missing: `${why}, so the results per task are of version ${older.version}, after ${Math.round(older.seconds / 60)} min. ${damage ?? `${keep}.`}`,
      };
}

/** Newest first. A group is named by its run, its time in base 36 and its number. */
export function groupsOf(places: readonly TrajectoryPlace[]): readonly EvaluationGroup[] {
  const groups = new Map<string, TrajectoryPlace[]>();
  for (const place of places) {
    const name = EVALUATION_ID.exec(place.id)?.[1] ?? place.id;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [place]);
    else group.push(place);
  }
  return [...groups]
    .map(([name, all]) => ({ name, places: all }))
    .sort((a, b) => compareNames(b.name, a.name));
}

function compareNames(one: string, two: string): number {
  const [first, second] = [orderOf(one), orderOf(two)];
  return first.time - second.time || first.number - second.number;
}

function orderOf(name: string): { readonly time: number; readonly number: number } {
  const parts = name.split('.');
  return { time: Number.parseInt(parts.at(-2) ?? '', 36) || 0, number: Number(parts.at(-1)?.slice(1)) || 0 };
}

const withDeletedGroups = (
  groups: readonly EvaluationGroup[],
  deleted: readonly Summary[],
): readonly EvaluationGroup[] => {
  const names = new Set(groups.map(({ name }) => name));
  const gone = new Set(
    deleted.flatMap(({ group = '' }) => (group === '' || names.has(group) ? [] : [group])),
  );
  return [...groups, ...[...gone].map(name => ({ name, places: [] }))].sort((a, b) =>
    compareNames(b.name, a.name),
  );
};

/** Reads each group once. */
class GroupReader {
  /** Messages about files that cannot be read. */
  readonly unreadable: string[] = [];
  readonly #known = new Map<string, readonly Summary[]>();

  async read({ name, places }: EvaluationGroup): Promise<readonly Summary[]> {
    const before = this.#known.get(name);
    if (before !== undefined) return before;
    const { episodes, unreadable } = await readPlaces(places);
    this.unreadable.push(...unreadable);
    this.#known.set(name, episodes);
    return episodes;
  }
}

interface Search {
  readonly curve: readonly EvaluationPoint[];
  /** The points to search for. */
  readonly points: readonly EvaluationPoint[];
  readonly groups: readonly EvaluationGroup[];
  readonly reader: GroupReader;
  readonly deleted: readonly Summary[];
}

async function firstMatch({
  curve,
  points,
  groups,
  reader,
  deleted,
}: Search): Promise<TestEvaluation | undefined> {
  for (const point of points) {
    const matches: JudgedEpisodes[] = [];
    for (const group of groups) {
      const sample = await firstReadable(group.places);
      const own = deleted.filter(row => row.group === group.name);
      const version = [...sample, ...own].find(({ newest }) => newest !== undefined)?.newest;
      if (version !== undefined && version < point.version) continue;
      const rows = [...(await reader.read(group)), ...own];
      const judged = judgedEpisodes(rows);
      if (isOf(judged, point) && isOfVersion(rows, point)) matches.push(judged);
    }
    // Training instances can give the same totals. They are evaluated after test instances, and the groups are newest first.
    const match =
      matches.length < curve.filter(other => isSame(other, point)).length ? undefined : matches.at(-1);
    if (match !== undefined) return { version: point.version, seconds: point.seconds, ...match };
  }
  return undefined;
}

/** One file has the version, so that few groups are read completely. */
async function firstReadable(places: readonly TrajectoryPlace[]): Promise<readonly Summary[]> {
  for (const place of places) {
    const { episodes } = await readPlaces([place]);
    if (episodes.length > 0) return episodes;
  }
  return [];
}

const isOf = ({ episodes }: JudgedEpisodes, { trials, successes }: EvaluationPoint): boolean =>
  episodes.length === trials && episodes.filter(({ success }) => success).length === successes;

/** An evaluation has the oldest version that decided, since weights may change while it plays. Old trajectories have none. */
function isOfVersion(rows: readonly Summary[], { version }: EvaluationPoint): boolean {
  const versions = rows.flatMap(({ outcome, oldest }) =>
    outcome === 'broken' || oldest === undefined ? [] : [oldest],
  );
  return versions.length === 0 || Math.min(...versions) === version;
}

const isSame = (one: EvaluationPoint, two: EvaluationPoint): boolean =>
  one.version === two.version && one.trials === two.trials && one.successes === two.successes;
