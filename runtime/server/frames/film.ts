// How the pictures of a trajectory come about: those that its file keeps, or drawn again from its instance and its actions.

import { decode } from '../../agent/observation.ts';
import type { Element } from '../../core/screen.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { RENDERER } from '../../environments/pocket/machine.ts';
import { FrameRenderError, type FrameRenderer } from './frame-renderer.ts';
import type { Film, Picture } from './frames.ts';

export interface FilmOptions {
  /** The folder of tasks beside those that are built in. */
  readonly folder: string | undefined;
  /** When its task was changed last, where that is known. */
  readonly changedAt: number | undefined;
  readonly draw: FrameRenderer['draw'];
}

/** Resolves as soon as the first picture is there. */
export async function filmOf(trajectory: Trajectory, options: FilmOptions): Promise<Film> {
  const { steps, frames } = trajectory;
  const doubt = doubtOf(trajectory, options.changedAt);
  const film = frames.kind === 'png' ? kept(frames.images, steps) : drawn(trajectory, doubt, options);
  await film.pictures[0];
  return { ...film, doubt };
}

/** Why its pictures may not be what was seen; undefined where there is no reason to think so. */
export function doubtOf(
  { frames, steps, startedAt }: Trajectory,
  changedAt: number | undefined,
): string | undefined {
  if (frames.kind === 'png') {
    const due = steps.length + 1;
    return frames.images.length >= due
      ? undefined
      : `Its file has ${frames.images.length} of ${due} pictures.`;
  }
  if (changedAt !== undefined && changedAt > startedAt)
    return 'The file of its task was changed after it was played: it may have looked otherwise.';
  if (frames.renderer === RENDERER) return undefined;
  return `It was played on a desktop drawn by '${frames.renderer}' and is drawn by '${RENDERER}' now: it may have looked otherwise.`;
}

type Made = Pick<Film, 'pictures' | 'reasons'>;

const kept = (images: readonly Uint8Array[], steps: readonly Step[]): Made => ({
  pictures: images.map(async (image, index) => ({ image, elements: elementsAt(steps[index]) })),
  // They were found on a desktop that is gone.
  reasons: Promise.resolve(undefined),
});

function drawn(trajectory: Trajectory, doubt: string | undefined, { folder, draw }: FilmOptions): Made {
  const { id, instance, steps, outcome } = trajectory;
  const actions = steps.map(({ action }) => action);
  const judged =
    outcome.kind === 'judged' && doubt === undefined
      ? { ending: outcome.ending, score: outcome.verdict.score }
      : undefined;
  const shown: ((picture: Picture) => void)[] = [];
  const failed: ((error: unknown) => void)[] = [];
  const pictures = Array.from(
    { length: steps.length + 1 },
    () =>
      new Promise<Picture>((resolve, reject) => {
        shown.push(resolve);
        failed.push(reject);
      }),
  );
  let made = 0;
  const shot = (picture: Picture): void => shown[made++]?.(picture);
  const reasons = draw({ ...instance, actions, folder, judged }, shot).catch((error: unknown) => {
    if (!(error instanceof FrameRenderError)) throw error;
    throw new FrameRenderError(
      `The screens of ${id} cannot be drawn again (${error.message}): open it where its task '${instance.task}' is known.`,
    );
  });
  // Whoever waits for a picture is told; whoever does not, need not know.
  for (const picture of pictures) picture.catch(() => undefined);
  reasons.catch((error: unknown) => {
    for (const reject of failed) reject(error);
  });
  return { pictures, reasons };
}

/** What the policy was shown of them, where that was written down and can be read. */
function elementsAt(step: Step | undefined): readonly Element[] | undefined {
  if (step?.observation === undefined) return undefined;
  try {
    const { mode, elements } = decode(step.observation);
    return mode === 'screenshot' ? undefined : elements;
  } catch {
    // Of an earlier version, or imported.
    return undefined;
  }
}
