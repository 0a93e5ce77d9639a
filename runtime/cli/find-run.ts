// Finds the run that somebody named among those that there are.

import { likely } from '../config/closest-name.ts';

export function runNamed<T extends { readonly run: string }>(list: readonly T[], name: string): T {
  const found = list.find(({ run }) => run === name);
  if (found !== undefined) return found;
  const near = likely(
    name,
    list.map(({ run }) => run),
  );
  const hint =
    near === undefined ? "'dartboard runs' lists those that there are" : `'${near}' is likely meant`;
  throw new RangeError(`There is no run '${name}': ${hint}.`);
}
