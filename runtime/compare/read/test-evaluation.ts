// Finds the episodes of the last test evaluation of a run. run.json and curve.csv have its totals alone, so the episodes are those groups of
// evaluation trajectories whose totals equal a point of the curve.

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
  const groups = groupsOf(await trajectoryPlaces(root, run, id => EVALUATION_ID.test(id)));
  const read = cachedReader();
  const recorded = await firstMatch({ curve, points: points.slice(0, 1), groups, read, deleted: [] });
  if (recorded !== undefined) return { evaluation: recorded };
  const deleted = await deletedEpisodes(root, run, row => row.run === run && row.group !== undefined);
  const all = withDeletedGroups(groups, deleted);
  const older = await firstMatch({ curve, points, groups: all, read, deleted });
  if (older?.version === newest.version) return { evaluation: older };
  const why = `The ${newest.trials} episodes of the last test evaluation (version ${newest.version}) are not all in the folder of the run`;
  return older === undefined
    ? {
        missing: `${why}, so the run has no results per task. Keep more trajectories with the setting data.retention, and train again.`,
      }
    : {
        evaluation: older,
        missing: `${why}, so the results per task are of version ${older.version}, after ${Math.round(older.seconds / 60)} min. Keep more trajectories with the setting data.retention.`,
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

type ReadGroup = (group: EvaluationGroup) => Promise<readonly Summary[]>;

function cachedReader(): ReadGroup {
  const known = new Map<string, readonly Summary[]>();
  return async ({ name, places }) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const { episodes } = await readPlaces(places);
    known.set(name, episodes);
    return episodes;
  };
}

interface Search {
  readonly curve: readonly EvaluationPoint[];
  /** The points to search for. */
  readonly points: readonly EvaluationPoint[];
  readonly groups: readonly EvaluationGroup[];
  readonly read: ReadGroup;
  readonly deleted: readonly Summary[];
}

async function firstMatch({
  curve,
  points,
  groups,
  read,
  deleted,
}: Search): Promise<TestEvaluation | undefined> {
  for (const point of points) {
    const matches: JudgedEpisodes[] = [];
    for (const group of groups) {
      const [first] = group.places;
      // One file has the version, so that few groups are read completely.
      const sample = first === undefined ? [] : (await readPlaces([first])).episodes;
      const own = deleted.filter(row => row.group === group.name);
      const version = [...sample, ...own].find(({ newest }) => newest !== undefined)?.newest;
      if (version !== undefined && version < point.version) continue;
      const rows = [...(await read(group)), ...own];
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
