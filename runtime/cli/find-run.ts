// Finds a run by the name that the user gave.

import { closestName } from '../config/closest-name.ts';

export function findRun<T extends { readonly run: string }>(list: readonly T[], name: string): T {
  const found = list.find(({ run }) => run === name);
  if (found !== undefined) return found;
  const names = list.map(({ run }) => run);
  const closest = closestName(name, names);
  const hint = closest === undefined ? "'dartboard runs' lists all runs." : `Did you mean '${closest}'?`;
  throw new RangeError(`No run is called '${name}'. ${hint}`);
}
