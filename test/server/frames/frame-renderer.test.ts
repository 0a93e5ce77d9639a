// A frame renderer whose thread stops answering. Needs its bundle, which `npm test` builds first.

import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../../../runtime/core/ids.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { FrameRenderError, FrameRenderer } from '../../../runtime/server/frames/frame-renderer.ts';
import { blockable } from '../../blockable.ts';
import { FRAMES_ENTRY } from '../../data/open-stores.ts';
import { passUntil } from '../../pass-until.ts';

const [task] = POCKET.tasks('train', 1);
if (task === undefined) throw new RangeError('The pocket suite has no task of tier 1.');
const DRAWING = { task, seed: seed(1), actions: [], folder: undefined, judged: undefined } as const;

test('a frame renderer that stops answering is reported within 15 s, its drawing fails, and the next one is drawn', async () => {
  const [clock, notices] = [new VirtualClock(), [] as string[]];
  const thread = blockable(FRAMES_ENTRY);
  const renderer = new FrameRenderer(thread.entry, message => notices.push(message), clock);
  onTestFinished(() => renderer.close());
  const pictures: unknown[] = [];
  const draw = () => renderer.draw(DRAWING, picture => pictures.push(picture));
  await draw();
  expect(pictures).toHaveLength(1);
  await thread.block();
  const failed = draw().catch((error: unknown) => error);
  expect(await passUntil(clock, () => notices.length > 0)).toBeLessThanOrEqual(15_000);
  const reason = 'The frame renderer thread sent no heartbeat for 10 s and was killed.';
  expect(await failed).toEqual(new FrameRenderError(reason));
  expect(notices).toEqual([expect.stringContaining(reason)]);
  await draw();
  expect(pictures).toHaveLength(2);
  expect(notices).toHaveLength(1);
});
