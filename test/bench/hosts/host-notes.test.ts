// The records of a host's processes.

import { expect, test } from 'vitest';
import { hostNotes, notedDesktop, readNotes } from '../../../runtime/bench/hosts/host-notes.ts';
import { performedEpisodes } from '../../../runtime/bench/hosts/performed-actions.ts';
import { desktopId, seed } from '../../../runtime/core/ids.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { openPocketSuite } from '../../../runtime/run/suite.ts';
import { temporaryFolder } from '../../temporary.ts';

test('each process has its own record, with everything that its desktops performed', async () => {
  const folder = temporaryFolder('notes');
  const suite = await openPocketSuite(undefined);
  const [id] = suite.tasks('train');
  if (id === undefined) throw new Error('The suite has no tasks.');
  const task = suite.task(id, seed(3));
  for (const actions of [1, 2]) {
    const desktop = notedDesktop(new PocketDesktop(desktopId('d0')), hostNotes(folder));
    await desktop.reset(task, seed(3));
    for (let action = 0; action < actions; action++) await desktop.act({ kind: 'wait' });
    await desktop.judge('capped');
  }
  const episodes = (await readNotes(folder)).map(performedEpisodes);
  expect(
    episodes
      .flat()
      .map(({ actions }) => actions.length)
      .sort(),
  ).toEqual([1, 2]);
  expect(episodes).toHaveLength(2);
});
