// The tests of the Testing view: kinds of desktops, tiers and tasks as plain nodes, and the tasks that a run includes. Pure.

import type { EvaluatedTasks } from '../../runtime/protocol/daemon/collection.ts';
import { type DesktopKind, KIND_TITLES } from '../../runtime/protocol/desktop-kinds.ts';
import { tierTitle } from '../../runtime/protocol/tiers.ts';

/** The tasks of a kind of desktops, or why they are not known. */
export type TestSuite = { readonly kind: DesktopKind } & (
  | { readonly tasks: EvaluatedTasks['tasks'] }
  | { readonly problem: string }
);

/** A task that can be evaluated. */
export interface TestedTask {
  /** Unique in the tree. */
  readonly id: string;
  readonly kind: DesktopKind;
  readonly task: string;
  readonly split: EvaluatedTasks['tasks'][number]['split'];
}

export interface TestNode {
  readonly id: string;
  readonly label: string;
  /** The task file of the user. */
  readonly file?: string;
  /** Why the node has no tasks. */
  readonly problem?: string;
  readonly children: readonly TestNode[];
  /** Present for a task. */
  readonly test?: TestedTask;
}

export const testNodes = (suites: readonly TestSuite[]): readonly TestNode[] =>
  suites.map(suite => {
    const node = { id: suite.kind, label: KIND_TITLES[suite.kind] };
    if ('problem' in suite) return { ...node, problem: suite.problem, children: [] };
    const tiers = [...new Set(suite.tasks.map(({ tier }) => tier))].sort((a, b) => a - b);
    return {
      ...node,
      children: tiers.map(tier => ({
        id: `${suite.kind}/${tier}`,
        label: tierTitle(tier),
        children: suite.tasks.filter(each => each.tier === tier).map(each => taskNode(suite.kind, each)),
      })),
    };
  });

function taskNode(kind: DesktopKind, { task, tier, split, file }: EvaluatedTasks['tasks'][number]): TestNode {
  const id = `${kind}/${tier}/${task}`;
  return {
    // A description in its own place would replace the name for screen readers.
    ...{ id, label: split === 'unseen' ? `${task} (never trained)` : task, children: [] },
    test: { id, kind, task, split },
    ...(file !== undefined && { file }),
  };
}

/** The tasks of the nodes with the ids in `include`, or of all nodes, without those below a node in `exclude`. Each once, in order. */
export function includedTests(
  nodes: readonly TestNode[],
  include: ReadonlySet<string> | undefined,
  exclude: ReadonlySet<string>,
): readonly TestedTask[] {
  return nodes.flatMap(({ id, test, children }) => {
    if (exclude.has(id)) return [];
    const isIncluded = include === undefined || include.has(id);
    const own = test !== undefined && isIncluded ? [test] : [];
    return [...own, ...includedTests(children, isIncluded ? undefined : include, exclude)];
  });
}
