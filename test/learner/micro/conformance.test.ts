// The laws of all learners, for the micro model in process.

import type { Learner } from '../../../runtime/learner/learner.ts';
import type { MicroLearner } from '../../../runtime/learner/micro/micro-learner.ts';
import { decodeTraining } from '../../../runtime/learner/micro/state-file.ts';
import { testLearner } from '../conformance.ts';
import { LIVE, MemoryFolder, SETTINGS, STEPS, tinyLearner } from './fixture.ts';

testLearner('the micro model', { assesses: true, hasReference: true, clips: true, publishes: true }, () => {
  const folders = new Map<Learner, MemoryFolder>();
  const openIn = async (folder: MemoryFolder): Promise<MicroLearner> => {
    const learner = await tinyLearner(folder);
    folders.set(learner, folder);
    return learner;
  };
  const folderOf = (learner: Learner): MemoryFolder => folders.get(learner) ?? new MemoryFolder();
  return {
    open: () => openIn(new MemoryFolder()),
    reopen: learner => openIn(folderOf(learner)),
    steps: STEPS,
    optimiser: SETTINGS,
    tolerance: 1e-5,
    contents: async learner => {
      const { state, reference } = decodeTraining(
        await folderOf(learner).read(await learner.save('contents', LIVE)),
        'contents',
      );
      return [state.weights, state.mean, state.variance, reference].map(list => list?.slice(0, 2000));
    },
  };
});
