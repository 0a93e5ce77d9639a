// The laws of the port `Learner` for the learner on a Tinker server.

import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { HttpBytesTransport, HttpRequest } from '../../../runtime/endpoints/http-transport.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import type { JournalFiles } from '../../../runtime/learner/tinker/journal.ts';
import { TinkerLearner } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { TinkerServer } from '../../doubles/tinker/tinker-server.ts';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { type LearnerFixture, testLearner } from '../conformance.ts';
import { ADAM, images, LIVE, MemoryFiles, STEPS } from './lab.ts';

/** The process of a learner: after a crash it reaches neither the server nor its files. */
class Process implements HttpBytesTransport, JournalFiles {
  #isAlive = true;

  constructor(
    readonly server: TinkerServer,
    readonly files: MemoryFiles,
  ) {}

  crash(): void {
    this.#isAlive = false;
  }

  sendForBytes(request: HttpRequest) {
    return this.#alive(this.server).sendForBytes(request);
  }

  write(place: string, bytes: Uint8Array) {
    return this.#alive(this.files).write(place, bytes);
  }

  read(place: string) {
    return this.#alive(this.files).read(place);
  }

  remove(place: string) {
    return this.#alive(this.files).remove(place);
  }

  close(): void {}

  #alive<T>(thing: T): T {
    if (this.#isAlive) return thing;
    throw new Error('The process was killed.');
  }
}

function fixture(traits: Partial<TinkerTraits>): LearnerFixture {
  const processes = new WeakMap<object, Process>();
  const open = async (process: Process): Promise<TinkerLearner> => {
    const client = new TinkerClient({
      ...{ name: 'lab', url: 'http://lab:8000', transport: process, clock: systemClock },
      patienceMs: 0,
    });
    const learner = await TinkerLearner.open(
      {
        ...{ name: 'lab', client, files: process, images, clock: systemClock, needsReference: true },
        ...{ model: { baseModel: 'table', rank: 8, seed: 1 }, limits: { rows: 2, bytes: 5_000_000 } },
      },
      LIVE,
    );
    processes.set(learner, process);
    return learner;
  };
  return {
    steps: STEPS,
    optimiser: { ...ADAM, learningRate: 0.01 },
    tolerance: 1e-5,
    open: () => open(new Process(new TinkerServer({ ...traits, room: 9 }, systemClock), new MemoryFiles())),
    reopen: async learner => {
      const process = processes.get(learner);
      if (process === undefined) throw new Error('The fixture did not open this learner.');
      process.crash();
      return open(new Process(process.server, process.files));
    },
  };
}

const ABILITIES = { assesses: true, hasReference: true, publishes: true };

testLearner('on a server with protobuf and numbered requests', ABILITIES, () => fixture(HOSTED));
testLearner('on a server with JSON and without numbers', ABILITIES, () => fixture(JSON_SERVER));
