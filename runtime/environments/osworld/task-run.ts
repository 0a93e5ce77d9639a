// The machine and the files that the set-up steps and getters of an OSWorld task use.

import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { TaskFile } from '../../tasks/metrics/metric.ts';
import { checked as checkedCall, type TaskFunction } from '../task-function.ts';
import type { FileDownloads } from './downloads.ts';
import type { Machine } from './machine.ts';

export interface TaskRun {
  readonly machine: Machine;
  readonly clock: Clock;
  /** The time and the time zone of this machine: tasks contain dates such as "next Monday". */
  readonly now: () => Date;
  readonly timeZone: string;
  readonly downloads: FileDownloads;
  /** The files of the task by name: outputs of its steps, and what its getters fetched. */
  readonly cache: Map<string, TaskFile>;
  /** The folder of the task files, for files of this machine that a task uploads. */
  readonly folder: string;
  /** Replaces {CLIENT_PASSWORD} in commands. */
  readonly password: string;
}

export type OsworldFunction<Result> = TaskFunction<TaskRun, Result>;

/** Unknown parameters are ignored, as in OSWorld. */
export const checked = <Shape extends z.ZodRawShape, Result>(
  thing: string,
  shape: Shape,
  run: (run: TaskRun, parameters: z.infer<z.ZodObject<Shape>>) => Promise<Result>,
): OsworldFunction<Result> => checkedCall(thing, z.object(shape), run);

export const text = z.string().min(1);

/** Some task files have the text "true". */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', 'True', 'False'])])
  .transform(value => (typeof value === 'boolean' ? value : value.toLowerCase() === 'true'))
  .default(false);

export const command = { command: z.union([text, z.array(z.string()).nonempty()]), shell: flag };
