// The files of this machine that an OSWorld task reads: those that it uploads, and those that it names by address.

import type { Task } from '../../core/task.ts';
import { EMPTY_HISTORY } from './steps.ts';

interface LocalFiles {
  /** Paths in the folder of the task files. */
  readonly uploads: readonly string[];
  /** Addresses, whose files a mirror may have. */
  readonly addresses: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

export function localFilesOf({ config, evaluator }: Pick<Task, 'config' | 'evaluator'>): LocalFiles {
  const parts = objectsIn([config, evaluator]);
  const ofType = (type: string) => parts.filter(part => part['type'] === type);
  const filesOf = (type: string) =>
    ofType(type).flatMap(({ parameters }) =>
      objectsIn(isObject(parameters) ? parameters['files'] : undefined),
    );
  return {
    uploads: textsIn(filesOf('upload_file').map(file => file['local_path'])),
    addresses: textsIn([
      ...filesOf('download').map(({ url }) => url),
      ...ofType('cloud_file').map(({ path }) => path),
      ...ofType('update_browse_history').map(() => EMPTY_HISTORY),
    ]),
  };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All objects in a value, each before those in it. */
function objectsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** A getter has one path or a list of them. */
const textsIn = (values: readonly unknown[]): readonly string[] =>
  values.flat().filter(value => typeof value === 'string');
