// The arguments of `dartboard runs`: to list them, to delete one, or to read what was decided in one.

import { parseArgs } from 'node:util';
import { countOf } from './options.ts';
import { showDecisions } from './runs-decisions.ts';
import { type ListRuns, listRuns } from './runs-list.ts';

const MOST_DECISIONS = 1_000_000;

export async function runsCommand(
  args: string[],
  around: Omit<ListRuns, 'deleted' | 'withPool' | 'json'>,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      task: { type: 'string' },
      last: { type: 'string' },
      'with-pool': { type: 'boolean', default: false },
    },
  });
  const { json, task, last, 'with-pool': withPool } = values;
  const [what, name, ...more] = positionals;
  if (what !== undefined && what !== 'delete' && what !== 'decisions')
    throw new RangeError(
      `'runs' alone lists them, 'runs delete NAME' deletes one, 'runs decisions [NAME]' tells what was decided in one; '${what}' is none of these.`,
    );
  if (more.length > 0)
    throw new RangeError(`runs ${what} takes one name; there is '${more[0]}' behind '${name}'.`);
  if (withPool && what !== 'delete')
    throw new RangeError("--with-pool is for 'runs delete', and has no effect here; remove it.");
  if (what === 'decisions')
    return showDecisions({
      ...{ ...around, name, task, json },
      last: countOf('last', last ?? '50', 1, MOST_DECISIONS),
    });
  for (const [option, value] of Object.entries({ task, last }))
    if (value !== undefined)
      throw new RangeError(`--${option} is for 'runs decisions', and has no effect here; remove it.`);
  if (what === 'delete' && name === undefined)
    throw new RangeError("'runs delete' takes the name of a run: 'dartboard runs' lists them.");
  return listRuns({ ...around, deleted: name, withPool, json });
}
