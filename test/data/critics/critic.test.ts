// A critic and the features that it sees.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encode } from '../../../runtime/agents/compact/observation.ts';
import { encodeChat } from '../../../runtime/agents/model/chat-observation.ts';
import { seed, taskId } from '../../../runtime/core/ids.ts';
import type { EncodedObservation } from '../../../runtime/core/policy.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { Critic } from '../../../runtime/data/critics/critic.ts';
import { FEATURES, instanceFeatures, stepFeatures } from '../../../runtime/data/critics/features.ts';

const instanceOf = (task: string, number = 1) => ({ task: taskId(task), seed: seed(number) });
const INSTANCE = instanceOf('send a mail');

const seeing = (name: string, instruction = 'Open Inbox.'): EncodedObservation =>
  encode({
    ...{ mode: 'a11y_tree', size: { width: 160, height: 210 }, instruction, recent: [], memory: [] },
    elements: [{ role: 'button', name, value: '', states: [], box: { x: 0, y: 0, width: 20, height: 10 } }],
    ...{ firstElement: 0, patches: [], squares: new Uint8Array() },
  });

describe('a critic', () => {
  test('expects half before the first result', () => {
    expect(new Critic().value(instanceFeatures(INSTANCE))).toBe(0.5);
    expect(new Critic().value([])).toBe(0.5);
  });

  test('learns how often an instance succeeds', () => {
    const critic = new Critic();
    const random = seeded('critic');
    const features = instanceFeatures(INSTANCE);
    let mean = 0;
    for (let round = 0; round < 2000; round++) {
      critic.learn(features, Number(random.next() < 0.8));
      if (round >= 1000) mean += critic.value(features) / 1000;
    }
    expect(mean).toBeGreaterThan(0.75);
    expect(mean).toBeLessThan(0.85);
  });

  test('expects of a new instance what it learned about its task, and of another task what it learned about all', () => {
    const critic = new Critic();
    for (let number = 0; number < 50; number++)
      critic.learn(instanceFeatures(instanceOf('send a mail', number)), 0);
    const [same, other] = ['send a mail', 'draw a circle'].map(task =>
      critic.value(instanceFeatures(instanceOf(task, 99))),
    );
    expect(other).toBeLessThan(0.2);
    expect(same).toBeLessThan(other ?? 0);
  });

  test('tells the screens of successes from those of failures', () => {
    const critic = new Critic();
    const featuresOf = (name: string) => stepFeatures(INSTANCE, 0, seeing(name));
    for (let round = 0; round < 100; round++) {
      critic.learn(featuresOf('Sent'), 1);
      critic.learn(featuresOf('Error'), 0);
    }
    expect(critic.value(featuresOf('Sent'))).toBeGreaterThan(0.75);
    expect(critic.value(featuresOf('Error'))).toBeLessThan(0.25);
  });

  test('each result moves the value towards it', () => {
    const features = fc.uniqueArray(fc.nat(FEATURES - 1), { minLength: 1, maxLength: 50 });
    const results = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(features, results, (of, all) => {
        const critic = new Critic();
        for (const result of all) {
          const before = critic.value(of);
          critic.learn(of, result);
          expect(Math.abs(critic.value(of) - result)).toBeLessThanOrEqual(Math.abs(before - result));
        }
      }),
    );
  });
});

describe('features', () => {
  test('are distinct numbers of the table in ascending order, equal for equal observations', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(100), (name, instruction, step) => {
        const features = stepFeatures(INSTANCE, step, seeing(name, instruction));
        expect(features).toEqual([...new Set(features)].sort((a, b) => a - b));
        for (const feature of features) expect(feature >= 0 && feature < FEATURES).toBe(true);
        expect(stepFeatures(INSTANCE, step, seeing(name, instruction))).toEqual(features);
      }),
    );
  });

  test('tell whether the instruction names an element, for every name', () => {
    const [inbox, drafts, other] = [
      stepFeatures(INSTANCE, 0, seeing('Inbox', 'Open Inbox.')),
      stepFeatures(INSTANCE, 0, seeing('Drafts', 'Open Drafts.')),
      stepFeatures(INSTANCE, 0, seeing('Drafts', 'Open Inbox.')),
    ];
    const common = (one: readonly number[], two: readonly number[]) =>
      one.filter(each => two.includes(each)).length;
    expect(common(inbox, drafts)).toBe(common(inbox, other) + 1);
  });

  test('have the words of the last message of each role', () => {
    const chat = (text: string) => encodeChat([{ role: 'user', parts: [{ type: 'text', text }] }]);
    expect(stepFeatures(INSTANCE, 0, chat('a dialog is open'))).not.toEqual(
      stepFeatures(INSTANCE, 0, chat('the mail was sent')),
    );
  });

  test('of an observation that cannot be read are those of the task and of the step', () => {
    const damaged = [
      { ...seeing('Inbox'), bytes: new Uint8Array([1, 2, 3]) },
      { encoding: 'chat-1', bytes: new Uint8Array([1, 2, 3]) },
      { encoding: 'unknown', bytes: new Uint8Array() },
    ];
    for (const observation of damaged) expect(stepFeatures(INSTANCE, 2, observation)).toHaveLength(3);
  });
});
