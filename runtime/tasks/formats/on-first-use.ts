// Loads a package when it is first used. Every program knows the metrics, and few compare a file.

import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Each package is named in one file alone, so `Package` is its type there. */
export function onFirstUse<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => {
    loaded ??= load(name) as Package;
    return loaded;
  };
}
