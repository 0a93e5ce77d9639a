// The pictures of a trajectory are what its desktop showed. Needs the bundle of the thread that draws, which `npm test` builds first.

import { decode } from 'fast-png';
import { expect, onTestFinished, test } from 'vitest';
import { EMPTY_MEMORY } from '../../../runtime/agents/compact/episode-memory.ts';
import { encode } from '../../../runtime/agents/compact/observation.ts';
import { observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import { desktopId, seed, taskId } from '../../../runtime/core/ids.ts';
import type { Element, Screen } from '../../../runtime/core/screen.ts';
import type { Step } from '../../../runtime/core/step.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { RENDERER } from '../../../runtime/environments/pocket/machine.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { encodePng } from '../../../runtime/inference/png.ts';
import { frameSequenceOf } from '../../../runtime/server/frames/film.ts';
import { FrameRenderError, FrameRenderer } from '../../../runtime/server/frames/frame-renderer.ts';
import { FRAMES_ENTRY } from '../../data/open-stores.ts';
import { trajectory } from '../../data/trajectories.ts';

function drawing() {
  const draughtsman = new FrameRenderer(FRAMES_ENTRY, expect.unreachable);
  onTestFinished(() => draughtsman.close());
  return { folder: undefined, changedAt: undefined, draw: draughtsman.draw.bind(draughtsman) };
}

/** The desktop draws over its pixels with the next step. */
const kept = (screen: Screen): Screen => ({
  ...screen,
  pixels: { ...screen.pixels, data: screen.pixels.data.slice() },
});

/** A scripted solution, with what the desktop showed on the way. */
async function played(task: string, number: number) {
  const instance = { task: taskId(task), seed: seed(number) };
  const about = POCKET.task(task, instance.seed);
  const { actions } = solutionOf(POCKET, about, instance.seed);
  const desktop = new PocketDesktop(desktopId('d'));
  const screens: Screen[] = [kept(await desktop.reset(about, instance.seed))];
  for (const action of actions) screens.push(kept(await desktop.act(action)));
  const steps = actions.map((action): Step => ({ action, meant: [] }));
  return {
    screens,
    trajectory: trajectory('t', { instance, steps, frames: { kind: 'redrawn', renderer: RENDERER } }),
  };
}

const ELEMENTS: readonly Element[] = [
  { role: 'button', name: 'OK', value: '', states: [], box: { x: 1, y: 1, width: 1, height: 1 } },
];
const BLANK = { layout: 'rgb', width: 3, height: 2, data: new Uint8Array(18) } as const;
const OBSERVATION = encode(
  observeScreen({ pixels: BLANK, elements: ELEMENTS }, 'Press OK.', 'a11y_tree', EMPTY_MEMORY),
);

const [SHORT = ''] = POCKET.tasks('train', 1);

const rgb = ({ pixels }: Screen): number[] => [...pixels.data].filter((_, index) => index % 4 !== 3);

test.each(POCKET.tasks('train', 2).slice(0, 3).concat(POCKET.tasks('train', 4).slice(0, 2)))(
  'the screens of %s are drawn again as they were seen, bit for bit, with their elements',
  async task => {
    const { screens, trajectory: asPlayed } = await played(task, 5);
    const film = await frameSequenceOf(asPlayed, drawing());
    const pictures = await Promise.all(film.pictures);
    expect(pictures).toHaveLength(screens.length);
    for (const [index, screen] of screens.entries()) {
      const { image = new Uint8Array(), elements } = pictures[index] ?? {};
      const { width, height, data } = decode(image);
      expect({ width, height }).toEqual({ width: screen.pixels.width, height: screen.pixels.height });
      expect(Buffer.from(data).equals(Buffer.from(rgb(screen)))).toBe(true);
      expect(elements).toEqual(screen.elements);
    }
    expect(film.doubt).toBeUndefined();
  },
);

test('a changed renderer is reported', async () => {
  const { trajectory: asPlayed } = await played(SHORT, 1);
  const old = { ...asPlayed, frames: { kind: 'redrawn', renderer: 'pocket-0' } as const };
  expect((await frameSequenceOf(old, drawing())).doubt).toContain("'pocket-0'");
});

test('a changed task file is reported, and the new file does not explain the old verdict', async () => {
  const { trajectory: asPlayed } = await played(SHORT, 1);
  const at = (changedAt: number) => frameSequenceOf(asPlayed, { ...drawing(), changedAt });
  const changed = await at(asPlayed.startedAt + 1);
  expect(changed.doubt).toContain('changed after this episode');
  expect(await changed.reasons).toBeUndefined();
  expect((await at(asPlayed.startedAt - 1)).doubt).toBeUndefined();
});

test('an unknown task is an error with its name and a remedy, and the next episode is drawn', async () => {
  const around = drawing();
  const lost = trajectory('lost', { instance: { task: taskId('no-such-task'), seed: seed(1) } });
  const failed = frameSequenceOf(lost, around);
  await expect(failed).rejects.toBeInstanceOf(FrameRenderError);
  await expect(failed).rejects.toThrow(/lost.*no-such-task.*Open it in a workspace that has its task/);
  const { trajectory: asPlayed, screens } = await played(SHORT, 1);
  const { pictures } = await frameSequenceOf(asPlayed, around);
  expect(await Promise.all(pictures)).toHaveLength(screens.length);
});

test('closing waits for the drawing under way, and closing again does nothing', async () => {
  const draughtsman = new FrameRenderer(FRAMES_ENTRY, expect.unreachable);
  await draughtsman.close();
  const { trajectory: asPlayed, screens } = await played(SHORT, 1);
  const draw: FrameRenderer['draw'] = (...asked) => draughtsman.draw(...asked);
  const film = frameSequenceOf(asPlayed, { folder: undefined, changedAt: undefined, draw });
  await draughtsman.close();
  await draughtsman.close();
  expect(await Promise.all((await film).pictures)).toHaveLength(screens.length);
});

test('stored pictures are returned unchanged; missing ones are reported', async () => {
  const png = encodePng({ width: 3, height: 2, layout: 'rgb', data: new Uint8Array(18) });
  const kept = trajectory('kept', { frames: { kind: 'png', images: [png, png] } });
  const film = await frameSequenceOf(kept, drawing());
  const plain = { image: png, elements: undefined };
  expect(await Promise.all(film.pictures)).toEqual([plain, plain]);
  expect(film.doubt).toBeUndefined();
  expect(await film.reasons).toBeUndefined();
  const shown: Step = { action: { kind: 'wait' }, meant: [], observation: OBSERVATION };
  const seen = await Promise.all((await frameSequenceOf({ ...kept, steps: [shown] }, drawing())).pictures);
  expect(seen.map(({ elements }) => elements)).toEqual([ELEMENTS, undefined]);
  const short = await frameSequenceOf({ ...kept, frames: { kind: 'png', images: [png] } }, drawing());
  expect(short.doubt).toBe('Its file has 1 of 2 pictures.');
  // An imported trajectory may have a gap.
  const gap = { kind: 'png', images: [new Uint8Array(), png] } as const;
  expect((await frameSequenceOf({ ...kept, frames: gap }, drawing())).doubt).toBe(
    'Its file has 1 of 2 pictures.',
  );
});
