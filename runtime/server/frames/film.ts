// Makes the pictures of a trajectory: from its file, or redrawn from its instance and actions.

import { decode } from '../../agents/compact/observation.ts';
import type { Element } from '../../core/screen.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import { FrameRenderError, type FrameRenderer } from './frame-renderer.ts';
import type { FramePicture, FrameSequence } from './frames.ts';

export interface FrameSequenceOptions {
  /** The folder with the file of its task; undefined for a built-in one. */
  readonly folder: string | undefined;
  /** When its task file changed last, if known. */
  readonly changedAt: number | undefined;
  readonly draw: FrameRenderer['draw'];
}

/** Resolves when the first picture is ready. */
export async function frameSequenceOf(
  trajectory: Trajectory,
  options: FrameSequenceOptions,
): Promise<FrameSequence> {
  const { steps, frames } = trajectory;
  const doubt = doubtOf(trajectory, options.changedAt);
  const sequence =
    frames.kind === 'png' ? storedFrames(frames.images, steps) : redrawnFrames(trajectory, doubt, options);
  await sequence.pictures[0];
  return { ...sequence, doubt };
}

/** Why the pictures may differ from the original screens; undefined when they do not. */
export function doubtOf(
  { frames, steps, startedAt }: Trajectory,
  changedAt: number | undefined,
): string | undefined {
  if (frames.kind === 'png') {
    const expected = steps.length + 1;
    const found = frames.images.filter(({ length }) => length > 0).length;
    return found >= expected ? undefined : `Its file has ${found} of ${expected} pictures.`;
  }
  if (changedAt !== undefined && changedAt > startedAt)
    return 'The task file changed after this episode, so the original screens may differ.';
  if (frames.renderer === RENDERER) return undefined;
  return `The episode was rendered by '${frames.renderer}' and is redrawn by '${RENDERER}', so the original screens may differ.`;
}

type MadeFrames = Pick<FrameSequence, 'pictures' | 'reasons'>;

const storedFrames = (images: readonly Uint8Array[], steps: readonly Step[]): MadeFrames => ({
  pictures: images.map(async (image, index) => ({ image, elements: elementsAt(steps[index]) })),
  // A real desktop cannot be evaluated again.
  reasons: Promise.resolve(undefined),
});

function redrawnFrames(
  trajectory: Trajectory,
  doubt: string | undefined,
  { folder, draw }: FrameSequenceOptions,
): MadeFrames {
  const { id, instance, steps, outcome } = trajectory;
  const actions = steps.map(({ action }) => action);
  const judged =
    outcome.kind === 'judged' && doubt === undefined
      ? { ending: outcome.ending, score: outcome.verdict.score }
      : undefined;
  const shown: ((picture: FramePicture) => void)[] = [];
  const failed: ((error: unknown) => void)[] = [];
  const pictures = Array.from(
    { length: steps.length + 1 },
    () =>
      new Promise<FramePicture>((resolve, reject) => {
        shown.push(resolve);
        failed.push(reject);
      }),
  );
  let made = 0;
  const shot = (picture: FramePicture): void => shown[made++]?.(picture);
  const reasons = draw({ ...instance, actions, folder, judged }, shot).catch((error: unknown) => {
    if (!(error instanceof FrameRenderError)) throw error;
    throw new FrameRenderError(
      `The screens of ${id} cannot be redrawn (${error.message}). Open it in a workspace that has its task '${instance.task}'.`,
    );
  });
  // Requests for a picture report its error; unrequested pictures may fail silently.
  for (const picture of pictures) picture.catch(() => undefined);
  reasons.catch((error: unknown) => {
    for (const reject of failed) reject(error);
  });
  return { pictures, reasons };
}

/** The elements of the observation, if it was stored and can be decoded. */
function elementsAt(step: Step | undefined): readonly Element[] | undefined {
  if (step?.observation === undefined) return undefined;
  try {
    const { mode, elements } = decode(step.observation);
    return mode === 'screenshot' ? undefined : elements;
  } catch {
    // The observation is of another version, or imported.
    return undefined;
  }
}
