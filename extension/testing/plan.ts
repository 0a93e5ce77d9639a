// The evaluations of a test run: one for each kind of desktops and part of its suite, and the request that starts it. Pure.

import { defaultInstances } from '../../runtime/protocol/daemon/collection.ts';
import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import { DESKTOP_KINDS, type DesktopKind } from '../../runtime/protocol/desktop-kinds.ts';
import { type ConfigFile, objectIn, withoutUnchosenGuests } from '../config-file.ts';
import type { TestedTask } from './tree.ts';

export interface PlannedEvaluation {
  readonly kind: DesktopKind;
  readonly split: TestedTask['split'];
  /** At most `MAX_TASKS`. */
  readonly tests: readonly TestedTask[];
}

export interface EvaluationChoice {
  readonly config: ConfigFile;
  /** `compact`, or the name of an agent in dartboard.json. */
  readonly agent: string;
  /** Test instances of each task. */
  readonly instances: number;
  readonly who: string;
}

const DEFAULT_INSTANCES = 5;
const MAX_INSTANCES = 100;

/** The value of the setting, which VS Code does not check; the default if it is not valid. */
export const instancesOf = (setting: unknown): number =>
  typeof setting === 'number' && Number.isInteger(setting) && setting >= 1 && setting <= MAX_INSTANCES
    ? setting
    : DEFAULT_INSTANCES;

/** The limit of a request. */
const MAX_TASKS = 1000;

/** In the order of the tests. */
export function plannedEvaluations(tests: readonly TestedTask[]): readonly PlannedEvaluation[] {
  const groups = new Map<string, PlannedEvaluation>();
  for (const test of tests) {
    const { kind, split } = test;
    const key = `${kind} ${split}`;
    groups.set(key, { kind, split, tests: [...(groups.get(key)?.tests ?? []), test] });
  }
  return [...groups.values()].flatMap(group =>
    Array.from({ length: Math.ceil(group.tests.length / MAX_TASKS) }, (_, part) => ({
      ...group,
      tests: group.tests.slice(part * MAX_TASKS, (part + 1) * MAX_TASKS),
    })),
  );
}

export type EvaluationParams = DaemonParams<'collect.start'> & { readonly instances: number };

/** Every instance once, with the likeliest choices, as `dartboard eval --agent`. A task of a guest has one instance. */
export const evaluationParams = (
  { kind, split, tests }: PlannedEvaluation,
  { config, agent, instances, who }: EvaluationChoice,
): EvaluationParams => ({
  config: { ...configOfKind(config, kind) },
  by: { kind: 'agent', agent, rollouts: 1, temperature: 0 },
  wanted: { tasks: tests.map(({ task }) => task) },
  ...{ evaluates: split, instances: defaultInstances(kind, instances), accepts: false, who },
});

/** The kind of desktops that dartboard.json chooses. The daemon rejects an unknown kind by name. */
export function kindOf(config: ConfigFile): DesktopKind {
  const { kind } = objectIn(config['environments']);
  return DESKTOP_KINDS.find(each => each === kind) ?? 'pocket';
}

/** The settings of dartboard.json apply to its own kind of desktops. Other kinds have their defaults, with the same agents. */
export function configOfKind(config: ConfigFile, kind: DesktopKind): ConfigFile {
  if (kind === kindOf(config)) return withoutUnchosenGuests(config);
  const { agents } = config;
  return { environments: { kind }, ...(agents !== undefined && { agents }) };
}
