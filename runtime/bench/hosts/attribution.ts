// The weights behind the version of each step: the bytes that the trainer published under it, and those with which workers decided.

import { blobHash } from '../../blobs/blobs.ts';
import type { Weights } from '../../core/policy.ts';
import { isRefused, type PolicyWorker } from '../../rollout/policy-worker.ts';
import type { AddNote, HostNote } from './host-notes.ts';

/** Notes the bytes of all weights that it loads, and each decision with the version of others. */
export function notedWorker(worker: PolicyWorker, add: AddNote): PolicyWorker {
  let loaded: Weights['version'] | undefined;
  return {
    ...worker,
    load: weights => {
      const { version, blob } = weights;
      add({ kind: 'load', version, hash: blobHash(blob) });
      // Calls run in the order in which they were made.
      loaded = version;
      return worker.load(weights);
    },
    decide: async requests => {
      const expected = loaded;
      const answers = await worker.decide(requests);
      for (const [index, answer] of answers.entries())
        if (!isRefused(answer) && requests[index]?.version === undefined && answer.version !== expected)
          add({ kind: 'misnamed', version: answer.version, loaded: expected });
      return answers;
    },
  };
}

/**
 * Steps whose version was never published, and those whose version some worker loaded with other bytes than the published ones, plus
 * decisions with a wrong version.
 */
export function misattributedSteps(
  versions: readonly number[],
  published: ReadonlyMap<number, string>,
  notes: readonly HostNote[],
): number {
  const wrong = new Set<number>();
  let misnamed = 0;
  for (const note of notes)
    if (note.kind === 'load' && published.get(note.version) !== note.hash) wrong.add(note.version);
    else if (note.kind === 'misnamed') misnamed += 1;
  return misnamed + versions.filter(version => wrong.has(version) || !published.has(version)).length;
}
