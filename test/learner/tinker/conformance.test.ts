// The laws of the port `Learner` for the learner on a Tinker server.

import { systemClock } from '../../../runtime/core/system-clock.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { TinkerServer } from '../../doubles/tinker/tinker-server.ts';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { type LearnerFixture, testLearner } from '../conformance.ts';
import { ADAM, images, LIVE, MemoryFiles, STEPS } from './lab.ts';
import { Process } from './process.ts';

interface Place {
  readonly server: TinkerServer;
  readonly files: MemoryFiles;
}

function fixture(traits: Partial<TinkerTraits>): LearnerFixture {
  const opened = new WeakMap<object, { readonly place: Place; readonly process: Process }>();
  const open = async (place: Place): Promise<TinkerLearner> => {
    const process = new Process(place.server, place.files);
    const client = new TinkerClient({
      ...{ name: 'lab', url: 'http://lab:8000', transport: process, clock: systemClock },
      // A killed process does not try again.
      outageTimeoutMs: 0,
    });
    const learner = await TinkerLearner.open(
      {
        ...{ name: 'lab', client, files: process, images, clock: systemClock, needsReference: true },
        ...{ model: { baseModel: 'table', rank: 8, seed: 1 }, limits: { rows: 2, bytes: 5_000_000 } },
      },
      LIVE,
    );
    opened.set(learner, { place, process });
    return learner;
  };
  return {
    steps: STEPS,
    optimiser: { ...ADAM, learningRate: 0.01 },
    tolerance: 1e-5,
    open: () =>
      open({ server: new TinkerServer({ ...traits, room: 9 }, systemClock), files: new MemoryFiles() }),
    reopen: async learner => {
      const former = opened.get(learner);
      if (former === undefined) throw new Error('The fixture did not open this learner.');
      former.process.kill();
      return open(former.place);
    },
  };
}

const ABILITIES = { assesses: true, hasReference: true, clips: true, publishes: true };

testLearner('on a server with protobuf and numbered requests', ABILITIES, () => fixture(HOSTED));
testLearner('on a server with JSON and without numbers', ABILITIES, () => fixture(JSON_SERVER));
