// The order of requests, repeated requests, futures and paths.

import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { type FutureResult, Futures } from '../../../runtime/model-server/tinker/futures.ts';
import { MISSING_NUMBER_MS, OrderedRequests } from '../../../runtime/model-server/tinker/ordered-requests.ts';
import {
  fileOfPlace,
  parseTinkerPath,
  savedPlace,
  tinkerPath,
} from '../../../runtime/model-server/tinker/tinker-path.ts';

const LIVE = new AbortController().signal;
const done = (body: object): FutureResult => ({ kind: 'done', body });
const settle = () => new Promise<void>(resolve => setImmediate(resolve));

function ordered() {
  let ids = 0;
  const ran: string[] = [];
  const clock = new VirtualClock();
  const requests = new OrderedRequests(clock, work => {
    work.catch(() => undefined);
    return `f${++ids}`;
  });
  const submit = (seqId: number | undefined, name: string) =>
    requests.submit(seqId, name, async () => {
      ran.push(`${name} begins`);
      await settle();
      ran.push(`${name} ends`);
      return done({});
    });
  return { clock, requests, submit, ran };
}

describe('the requests of a model', () => {
  test('run one after another in the order of their numbers', async () => {
    const { submit, ran } = ordered();
    submit(3, 'c');
    submit(2, 'b');
    await settle();
    expect(ran).toEqual([]);
    submit(1, 'a');
    for (let turn = 0; turn < 10; turn++) await settle();
    expect(ran).toEqual(['a', 'b', 'c'].flatMap(name => [`${name} begins`, `${name} ends`]));
  });

  test('that are sent again have the same future and run once', async () => {
    const { submit, ran } = ordered();
    const first = submit(1, 'a');
    expect(submit(1, 'a')).toBe(first);
    for (let turn = 0; turn < 5; turn++) await settle();
    expect(submit(1, 'a')).toBe(first);
    expect(ran).toHaveLength(2);
  });

  test('with a known number and another body are refused', () => {
    const { submit } = ordered();
    submit(1, 'a');
    expect(() => submit(1, 'b')).toThrow(/another body/);
  });

  test('go on after one that fails', async () => {
    const { requests, submit, ran } = ordered();
    requests.submit(1, 'x', () => Promise.reject(new Error('No.')));
    submit(2, 'b');
    for (let turn = 0; turn < 5; turn++) await settle();
    expect(ran).toEqual(['b begins', 'b ends']);
  });

  test('skip a number that stays away, and refuse it afterwards', async () => {
    const { clock, submit, ran } = ordered();
    submit(1, 'a');
    for (let turn = 0; turn < 5; turn++) await settle();
    submit(5, 'e');
    submit(4, 'd');
    await clock.run(MISSING_NUMBER_MS - 1);
    expect(ran.at(-1)).toBe('a ends');
    await clock.run(MISSING_NUMBER_MS);
    for (let turn = 0; turn < 10; turn++) await settle();
    expect(ran.slice(2)).toEqual(['d begins', 'd ends', 'e begins', 'e ends']);
    expect(() => submit(3, 'c')).toThrow(/seq_id 3 is too late/);
  });

  test('wait for each missing number anew', async () => {
    const { clock, submit, ran } = ordered();
    submit(2, 'b');
    await clock.run(MISSING_NUMBER_MS - 1);
    submit(1, 'a');
    for (let turn = 0; turn < 10; turn++) await settle();
    submit(4, 'd');
    await clock.run(2 * MISSING_NUMBER_MS - 2);
    expect(ran).not.toContain('d begins');
    await clock.run(2 * MISSING_NUMBER_MS - 1);
    expect(ran).toContain('d begins');
  });

  test('without numbers run in the order of arrival', async () => {
    const { submit, ran } = ordered();
    submit(undefined, 'a');
    submit(undefined, 'b');
    for (let turn = 0; turn < 8; turn++) await settle();
    expect(ran.filter(each => each.endsWith('begins'))).toEqual(['a begins', 'b begins']);
  });

  test('wait for the work that comes before them', async () => {
    const { requests, submit, ran } = ordered();
    let end = (): void => {};
    requests.after(
      new Promise<void>(resolve => {
        end = resolve;
      }),
    );
    submit(1, 'a');
    await settle();
    expect(ran).toEqual([]);
    end();
    for (let turn = 0; turn < 5; turn++) await settle();
    expect(ran).toHaveLength(2);
  });
});

describe('a future', () => {
  let ids = 0;
  const futuresOn = (clock: VirtualClock) => new Futures(clock, () => `f${++ids}`);

  test('is pending until the time is over, and has its result then', async () => {
    const clock = new VirtualClock();
    const futures = futuresOn(clock);
    let end: (result: FutureResult) => void = () => {};
    const id = futures.add(
      new Promise(resolve => {
        end = resolve;
      }),
    );
    const pending = futures.wait(id, 1000, LIVE);
    await clock.run();
    expect(await pending).toBeUndefined();
    expect(clock.now()).toBe(1000);
    end(done({ a: 1 }));
    expect(await futures.wait(id, 1000, LIVE)).toEqual(done({ a: 1 }));
    // The reply may have been lost.
    expect(await futures.wait(id, 1000, LIVE)).toEqual(done({ a: 1 }));
  });

  test('of a step keeps its result while a client reads many others', async () => {
    const futures = futuresOn(new VirtualClock());
    const result = done({ type: 'optim_step' });
    const step = futures.add(Promise.resolve(result));
    await futures.wait(step, 1000, LIVE);
    for (let other = 0; other < 65; other++)
      await futures.wait(futures.add(Promise.resolve(done({ other }))), 1000, LIVE);
    expect(await futures.wait(step, 1000, LIVE)).toEqual(result);
  });

  test('of samples is dropped once a client has read 64 others', async () => {
    const futures = futuresOn(new VirtualClock());
    const samples: FutureResult = { kind: 'sampled', result: { sequences: [] } };
    const read = async (): Promise<string> => {
      const id = futures.add(Promise.resolve(samples));
      await futures.wait(id, 1000, LIVE);
      return id;
    };
    const first = await read();
    for (let other = 0; other < 64; other++) await read();
    await expect(futures.wait(first, 1000, LIVE)).rejects.toMatchObject({ status: 404 });
  });

  test('of work that fails has the error', async () => {
    const futures = futuresOn(new VirtualClock());
    const id = futures.add(Promise.reject(new Error('Out of memory.')));
    expect(await futures.wait(id, 1000, LIVE)).toEqual({
      ...{ kind: 'failed', error: 'Out of memory.', category: 'server' },
    });
  });

  test('is not waited for when the server closes', async () => {
    const futures = futuresOn(new VirtualClock());
    const id = futures.add(new Promise(() => {}));
    const closing = new AbortController();
    const pending = futures.wait(id, 1000, closing.signal);
    closing.abort();
    expect(await pending).toBeUndefined();
  });

  test('that is unknown is an error', async () => {
    await expect(futuresOn(new VirtualClock()).wait('x', 1, LIVE)).rejects.toMatchObject({ status: 404 });
  });
});

describe('a path of saved weights', () => {
  test('names a file within the folder, and reads back', () => {
    const place = savedPlace('s1:train:0', 'weights', 'step-3');
    expect(tinkerPath(place)).toBe('tinker://s1:train:0/weights/step-3');
    expect(parseTinkerPath(tinkerPath(place))).toEqual(place);
    expect(fileOfPlace(place)).toBe('s1_train_0/weights/step-3.safetensors');
  });

  test.each([
    'tinker://s1:train:0/weights/../../etc/passwd',
    'tinker://s1:train:0/weights/..',
    'tinker://../weights/a',
    'tinker://s1:train:0/other/a',
    'tinker://s1:train:0/weights/a/b',
    'tinker://s1:train:0/weights/.hidden',
    'tinker://s1:train:0/weights/',
    'tinker://s1:train:0/weights/a\0b',
    'file:///etc/passwd',
    '/etc/passwd',
    '',
  ])('of another form is refused: %j', path => {
    expect(() => parseTinkerPath(path)).toThrow(/Use/);
  });
});
