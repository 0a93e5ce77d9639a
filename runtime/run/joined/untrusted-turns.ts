// Checks the turns of a model that another machine sent, before they are stored and trained on: each observation can be read, and all its
// images are there under their own hashes.

import { chatIn } from '../../agents/model/chat-observation.ts';
import { blobHash } from '../../blobs/blobs.ts';
import type { Trajectory } from '../../core/trajectory.ts';

/** Throws a RangeError with the reason. */
export function requireSoundTurns({ agent, steps, images = [] }: Trajectory, expected: string): void {
  if (agent !== expected)
    throw new RangeError(`the agent '${agent}' played it, and the run trains '${expected}'`);
  for (const { sha256, png } of images)
    if (blobHash(png) !== sha256) throw new RangeError(`it has another image under the hash ${sha256}`);
  const sent = new Set(images.map(({ sha256 }) => sha256));
  if (steps[0]?.chosen?.trace.kind === 'same-turn')
    throw new RangeError('its first step is a later action of a turn');
  for (const { observation } of steps) {
    if (observation === undefined) continue;
    for (const part of chatIn(observation).flatMap(({ parts }) => parts))
      if (part.type === 'image' && !sent.has(part.sha256))
        throw new RangeError(`a step shows the image ${part.sha256}, which it does not contain`);
  }
}
