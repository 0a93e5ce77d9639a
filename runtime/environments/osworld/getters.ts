// The getters of OSWorld's task files, by name: what evaluators can read from a machine. A missing or odd file is an answer, not an error.

import type { Getter } from '../../core/task.ts';
import { functionOf, type TaskFunctions } from '../task-function.ts';
import { APPLICATION_GETTERS } from './getters/applications.ts';
import { DATABASE_GETTERS } from './getters/browser-database.ts';
import { PROFILE_GETTERS } from './getters/browser-profile.ts';
import { TAB_GETTERS } from './getters/browser-tabs.ts';
import { FILE_GETTERS } from './getters/files.ts';
import { MACHINE_GETTERS } from './getters/machine.ts';
import { RULE_GETTERS } from './getters/rules.ts';
import type { TaskRun } from './task-run.ts';

const GETTERS: TaskFunctions<TaskRun, unknown> = {
  ...FILE_GETTERS,
  ...MACHINE_GETTERS,
  ...APPLICATION_GETTERS,
  ...PROFILE_GETTERS,
  ...DATABASE_GETTERS,
  ...TAB_GETTERS,
  ...RULE_GETTERS,
};

/** `rule` is read by the evaluator itself. */
export const GETTER_NAMES: readonly string[] = ['rule', ...Object.keys(GETTERS)];

export const runGetter = async (run: TaskRun, getter: Getter): Promise<unknown> =>
  functionOf(GETTERS, getter.type, 'getter')(run, getter);
