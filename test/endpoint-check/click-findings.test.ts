// What clicks show, from replies in the grammars of the profiles: a wrong frame, a wrong profile, and a model that cannot aim.

import { describe, expect, test } from 'vitest';
import { sentSize } from '../../runtime/agents/model/frame.ts';
import type { ProfileId } from '../../runtime/agents/model/profile.ts';
import { PROFILES } from '../../runtime/agents/model/profiles/index.ts';
import { seeded } from '../../runtime/core/rng.ts';
import type { Point, Size } from '../../runtime/core/screen.ts';
import { clickFindings, clickRows } from '../../runtime/endpoint-check/click-findings.ts';
import type { ClickSample } from '../../runtime/endpoint-check/clicks.ts';
import { clickOf, numbersIn } from '../../runtime/endpoint-check/numbers.ts';
import { formatFinding } from '../../runtime/endpoint-check/reply-findings.ts';
import { pictureScreens } from '../../runtime/endpoint-check/screens.ts';
import { type Grammar, writtenClick } from '../doubles/openai/pointing.ts';

/** The reply of a model to a screen. `target` is the middle of the target, as parts of the screen. */
type Reply = (target: Point, sent: Size, index: number) => string;

/** The samples of a check with this profile. */
const samplesOf = (id: ProfileId, reply: Reply): readonly ClickSample[] =>
  pictureScreens(seeded('clicks')).map(({ size: screen, target, group, side }, index) => {
    const profile = PROFILES[id];
    const sent = sentSize(profile.resize, screen);
    const part = {
      x: (target.x + target.width / 2) / screen.width,
      y: (target.y + target.height / 2) / screen.height,
    };
    const raw = reply(part, sent, index);
    const reading = profile.read(raw, { screen, sent, elements: [] });
    const at = reading.kind === 'actions' ? clickOf(reading.actions[0].action) : undefined;
    const numbers = numbersIn(raw, id);
    return {
      ...{ group, screen, sent, target, ...(side !== undefined && { side }) },
      outcome:
        reading.kind === 'malformed'
          ? { kind: 'malformed', why: reading.why }
          : at === undefined
            ? { kind: 'other', action: reading.actions[0].action.kind }
            : { kind: 'clicked', at },
      reply: {
        ...{ raw, isCut: false, defects: [], latencyMs: 1000 },
        ...(numbers !== undefined && { numbers }),
      },
    };
  });

const pixels =
  (grammar: Grammar): Reply =>
  ({ x, y }, sent) =>
    writtenClick(grammar, Math.round(x * sent.width), Math.round(y * sent.height));
const relative =
  (grammar: Grammar, max: number): Reply =>
  ({ x, y }) =>
    writtenClick(grammar, Math.round(x * max), Math.round(y * max));

/** Some releases of OpenCUA write parts of the screen. */
const parts: Reply = ({ x, y }) => writtenClick('pyautogui', Number(x.toFixed(4)), Number(y.toFixed(4)));

const findingsOf = (id: ProfileId, reply: Reply) => {
  const samples = samplesOf(id, reply);
  const [clicks] = clickFindings(samples, PROFILES[id], true);
  return { clicks, format: formatFinding(samples, id), rows: clickRows(samples, true) };
};

test.each<readonly [ProfileId, Reply]>([
  ['ui-tars-1.5', pixels('ui-tars')],
  ['ui-tars-1.0', relative('ui-tars', 1000)],
  ['qwen2.5-vl', pixels('computer-use')],
  ['qwen3-vl', relative('computer-use', 999)],
  ['gui-owl-1.5', relative('computer-use', 1000)],
  ['evocua', relative('computer-use', 999)],
  ['opencua', pixels('pyautogui')],
  ['opencua', parts],
  ['generic', pixels('generic')],
])('a model of the family of %s has no complaint', (id, reply) => {
  const { clicks, format } = findingsOf(id, reply);
  expect(clicks).toMatchObject({ state: 'ok', says: expect.stringMatching(/^24 of 24/), refuses: [] });
  expect(format.state).toBe('ok');
});

test.each([
  [0.4123, 0.231],
  [412, 231],
])('the numbers of a click are those that the model wrote: %d, %d', (x, y) => {
  expect(numbersIn(writtenClick('pyautogui', x, y), 'opencua')).toEqual({ x, y });
});

test.each([
  ['budget', 'Raise the limit, or check without limits.'],
  ['unauthorized', "Correct the key that the setting 'key' names, or the account that it belongs to."],
] as const)('turns that end for the cause %s have its remedy', (reason, remedy) => {
  const samples = samplesOf('opencua', pixels('pyautogui')).map((sample, index): ClickSample => {
    const { reply: _, ...rest } = sample;
    return index < 6 ? sample : { ...rest, outcome: { kind: 'failed', why: 'No reply', reason } };
  });
  expect(clickFindings(samples, PROFILES.opencua, true)).toMatchObject([
    { name: 'Clicks', state: 'ok' },
    { name: 'Turns', state: 'warning', says: expect.stringMatching(/^18 of 24 failed/), remedy },
  ]);
});

describe('a wrong frame is named', () => {
  test.each<readonly [ProfileId, Reply, RegExp, RegExp]>([
    ['ui-tars-1.5', relative('ui-tars', 1000), /relative, from 0 to 1000/, /'ui-tars-1.0', and check again/],
    ['ui-tars-1.0', pixels('ui-tars'), /pixels of the sent image/, /'ui-tars-1.5', and check again/],
    [
      'qwen2.5-vl',
      relative('computer-use', 999),
      /relative, from 0 to 1000/,
      /'qwen3-vl', 'gui-owl-1.5' or 'evocua'/,
    ],
    ['qwen3-vl', pixels('computer-use'), /pixels of the sent image/, /'qwen2.5-vl', and check again/],
    ['generic', relative('generic', 1000), /relative, from 0 to 1000/, /No profile reads such numbers/],
    ['opencua', relative('pyautogui', 1000), /relative, from 0 to 1000/, /No profile reads such numbers/],
    [
      'gui-owl-1.5',
      ({ x, y }) => writtenClick('computer-use', Math.round(1932 * x), Math.round(1092 * y)),
      /pixels of a picture of 193\d × 109\d on every screen/,
      /family of 'gui-owl-1.5'/,
    ],
    [
      'qwen3-vl',
      ({ x, y }) => writtenClick('computer-use', Math.round(999 * y), Math.round(999 * x)),
      /with y before x/,
      /No profile reads such numbers/,
    ],
  ])('behind the profile %s', (id, reply, says, remedy) => {
    const { clicks, format } = findingsOf(id, reply);
    expect(clicks).toMatchObject({
      ...{
        name: 'Clicks',
        state: 'problem',
        says: expect.stringMatching(says),
        remedy: expect.stringMatching(remedy),
      },
      refuses: ['evaluation', 'annotation', 'fine-tuning', 'training'],
    });
    // Numbers outside the picture are no fault of the format.
    expect(format.state).toBe('ok');
  });
});

describe('replies in another grammar name the profiles that read them', () => {
  test.each<readonly [ProfileId, Reply, string]>([
    ['ui-tars-1.5', relative('computer-use', 999), "'qwen3-vl', 'gui-owl-1.5' or 'evocua'"],
    ['generic', pixels('ui-tars'), "'ui-tars-1.5'"],
    ['qwen3-vl', pixels('pyautogui'), "'opencua'"],
  ])('behind the profile %s', (id, reply, names) => {
    const { clicks, format } = findingsOf(id, reply);
    expect(clicks).toBeUndefined();
    expect(format).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^the profile '.*' finds no action in 24 of 24 replies, such as "/),
      remedy: `Set 'profile' to ${names}, and check again.`,
    });
  });

  test('and prose has the advice to look for the family', () => {
    const { format } = findingsOf('generic', () => 'I cannot operate computers.');
    expect(format).toMatchObject({ state: 'problem', remedy: expect.stringMatching(/does not follow/) });
    const tars = findingsOf('ui-tars-1.5', () => 'I cannot operate computers.');
    expect(tars.format).toMatchObject({ state: 'problem', remedy: expect.stringMatching(/or to 'generic'/) });
  });

  test('and a few unreadable ones are a warning', () => {
    const sound = pixels('ui-tars');
    const reply: Reply = (target, sent, index) => (index < 3 ? 'Hm.' : sound(target, sent, index));
    const { clicks, format } = findingsOf('ui-tars-1.5', reply);
    expect(format).toMatchObject({ state: 'warning', says: expect.stringMatching(/in 3 of 24 .*"Hm\."$/) });
    expect(clicks).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^21 of 24 .*\(3 with no readable action\)$/),
    });
  });
});

describe('a model that cannot aim', () => {
  test('a few pixels off is a warning, and excludes nothing', () => {
    const off: Reply = ({ x, y }, sent) =>
      writtenClick('ui-tars', Math.round(x * sent.width) + 12, Math.round(y * sent.height) + 12);
    const { clicks, rows } = findingsOf('ui-tars-1.5', off);
    expect(clicks).toMatchObject({
      ...{
        state: 'warning',
        says: expect.stringMatching(/no other coordinate rule fits better/),
        refuses: [],
      },
      remedy: expect.stringMatching(/points badly/),
    });
    for (const { bySide } of rows) expect(bySide.map(({ landed }) => landed)).toEqual([2, 2, 0]);
  });

  test('and always clicks the same point excludes everything', () => {
    const { clicks } = findingsOf('ui-tars-1.5', () => writtenClick('ui-tars', 5, 5));
    expect(clicks).toMatchObject({
      ...{ state: 'problem', says: expect.stringMatching(/^0 of 24 .*no coordinate rule explains/) },
      remedy: expect.stringMatching(/passes images to the model/),
    });
  });

  test('and does something else is counted', () => {
    const { clicks } = findingsOf('ui-tars-1.5', () => 'Thought: I wait.\nAction: wait()');
    expect(clicks).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/\(24 with another action\)$/),
    });
  });
});
