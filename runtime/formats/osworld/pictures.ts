// The screenshots of a result of OSWorld. Its runners name them in different ways: by the line, or by step and time. Pure.

import { baseOf } from '../source/names.ts';

/** `names` are those of one folder, sorted. By the step after which a screenshot was taken; 0 is the start. */
export function screenshotsByStep(names: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const name of names) {
    const base = baseOf(name);
    const [, number] = /^step_(\d{1,6})(?:_.*)?\.png$/i.exec(base) ?? [];
    const step =
      number === undefined
        ? /^(?:step_reset|initial|start).*\.png$/i.test(base)
          ? 0
          : undefined
        : Number(number);
    // Names are sorted, so the first of several actions of a step comes first.
    if (step !== undefined && !found.has(step)) found.set(step, name);
  }
  return found;
}
