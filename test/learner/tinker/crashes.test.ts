// The learner is killed at every point in turn: before and after each write of its journal, and before and after each request. A learner
// that opens the same journal continues, and each update is applied once.

import { describe, expect, test } from 'vitest';
import type { HttpBytesTransport, HttpRequest } from '../../../runtime/endpoints/http-transport.ts';
import type { JournalFiles } from '../../../runtime/learner/tinker/journal.ts';
import { HOSTED, JSON_SERVER, type TinkerTraits } from '../../doubles/tinker/traits.ts';
import { type Lab, lab } from './lab.ts';
import { train } from './training.ts';

/** A process that can be killed: nothing that it does afterwards has an effect. */
class Process implements HttpBytesTransport, JournalFiles {
  isAlive = true;
  points = 0;
  readonly #lab: Lab;
  readonly #lastPoint: number;

  constructor(of: Lab, lastPoint: number) {
    this.#lab = of;
    this.#lastPoint = lastPoint;
  }

  async sendForBytes(request: HttpRequest) {
    if (request.url.endsWith('/session_heartbeat')) {
      this.#checkAlive();
      return this.#lab.server.sendForBytes(request);
    }
    this.#reach();
    const reply = await this.#lab.server.sendForBytes(request);
    this.#reach();
    return reply;
  }

  async write(place: string, bytes: Uint8Array): Promise<void> {
    this.#reach();
    await this.#lab.files.write(place, bytes);
    this.#reach();
  }

  async read(place: string): Promise<Uint8Array> {
    this.#checkAlive();
    return this.#lab.files.read(place);
  }

  async remove(place: string): Promise<void> {
    this.#reach();
    await this.#lab.files.remove(place);
  }

  close(): void {}

  #reach(): void {
    this.#checkAlive();
    if (this.points === this.#lastPoint) this.isAlive = false;
    this.#checkAlive();
    this.points += 1;
  }

  #checkAlive(): void {
    if (!this.isAlive) throw new Error('The process was killed.');
  }
}

async function trained(
  traits: Partial<TinkerTraits>,
  lastPoint: number,
  reductions: Partial<{ readonly reduction: 'row-mean' }> = {},
) {
  const shared = lab({ traits, learner: reductions });
  let process = new Process(shared, lastPoint);
  let kills = 0;
  const open = () => {
    if (!process.isAlive) {
      kills += 1;
      process = new Process(shared, Infinity);
    }
    return shared.open({ transport: process, files: process });
  };
  const result = await train(shared, open, () => !process.isAlive);
  return { ...result, points: process.points, kills, files: [...shared.files.contents.keys()] };
}

describe.each([
  ['with protobuf and numbered requests', HOSTED, {}],
  ['with JSON and without numbers', JSON_SERVER, {}],
  ['with room for one model', { ...HOSTED, room: 1 }, {}],
  ['that takes the mean over rows', { ...HOSTED, reduction: 'row-mean' }, { reduction: 'row-mean' }],
] as const)('a server %s', (_, traits, options) => {
  test('applies each update once, wherever the learner is killed', async () => {
    const expected = await trained(traits, Infinity, options);
    expect(expected).toMatchObject({ kills: 0, state: { steps: 2 }, files: ['learner.json'] });
    for (let point = 0; point < expected.points; point++) {
      const { present, state, kills, lost } = await trained(traits, point, options);
      expect({ point, kills, state, present }).toEqual({
        ...{ point, kills: 1, state: expected.state, present: expected.present },
      });
      // What the server recognises is not lost.
      if (traits.recognisesRepeats) expect({ point, lost }).toEqual({ point, lost: 0 });
    }
  });
});
