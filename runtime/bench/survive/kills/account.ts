// Compares what a run acknowledged with what its files and its index have at the end. Pure.

/** A line of masks.jsonl: the trajectories of one group that trained in one batch. */
export interface TrainedGroup {
  readonly batch: string;
  readonly group: string;
  readonly trajectories: readonly string[];
}

/** Trajectories that trained with their group in more than one batch. A batch that is delivered again keeps its name. */
export function trainedTwice(groups: readonly TrainedGroup[]): number {
  const batches = new Map<string, Set<string>>();
  for (const { batch, group, trajectories } of groups)
    for (const trajectory of trajectories) {
      const key = `${group} ${trajectory}`;
      batches.set(key, (batches.get(key) ?? new Set()).add(batch));
    }
  return [...batches.values()].filter(({ size }) => size > 1).length;
}

/** Rows that only one of two indexes has, or that differ between them. */
export function differingRows(one: IndexRows, other: IndexRows): readonly string[] {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return [...ids].filter(id => one.get(id) !== other.get(id));
}

/** The rows of an index as text, by the id of their trajectory. */
export type IndexRows = ReadonlyMap<string, string>;

/** Measurements of a curve with fewer steps than the one before them. */
export const curveSetbacks = (steps: readonly number[]): number =>
  steps.filter((each, index) => each < (steps[index - 1] ?? 0)).length;
