// Values that several tasks share, in values.json: names of files and folders, texts, numbers. Each list has those of training and those
// of tests; no value is in two lists, so that what an instance draws from different ones is never the same.

import lists from './values.json';

interface Shared {
  readonly train: readonly unknown[];
  readonly test: readonly unknown[];
}

export const SHARED: Readonly<Record<string, Shared>> = lists;
