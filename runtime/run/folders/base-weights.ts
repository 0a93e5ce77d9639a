// The base weights: weights of the built-in policy that come with Dartboard. They act until the first training of a workspace has weights,
// and a training can start from them. `npm run bench -- base --record` trains them.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BASE } from '../../core/agent.ts';

/** The file of the base weights, for a bundle in dist/ and for this file. */
export function baseWeights(): string {
  const files = ['../media/', '../../../media/'].map(folder =>
    fileURLToPath(new URL(`${folder}${BASE}.safetensors`, import.meta.url)),
  );
  const found = files.find(file => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(`The base weights are missing at '${files[0]}'. Install Dartboard again.`);
}
