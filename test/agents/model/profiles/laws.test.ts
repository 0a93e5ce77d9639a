// Laws of every profile: reading never throws, every action comes back, coordinates land on their targets.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computerUse } from '../../../../runtime/agents/codecs/computer-use.ts';
import { pyautogui } from '../../../../runtime/agents/codecs/pyautogui.ts';
import { uitars } from '../../../../runtime/agents/codecs/uitars.ts';
import { type CoordinateSpace, spaceOf, toPicture } from '../../../../runtime/agents/model/frame.ts';
import { PROFILE_IDS, type Profile, type ProfileId } from '../../../../runtime/agents/model/profile.ts';
import { writeGeneric } from '../../../../runtime/agents/model/profiles/generic-grammar.ts';
import { PROFILES } from '../../../../runtime/agents/model/profiles/index.ts';
import { type Action, MAX_NOTCHES, wordless } from '../../../../runtime/core/action.ts';
import { type Box, centre, type Point, type Size } from '../../../../runtime/core/screen.ts';
import { action, scribble } from '../../../core/arbitraries.ts';
import { byComputerUse, byGeneric, byPyautogui, byUitars } from '../../codecs/expressible.ts';
import { frameOf } from './setting.ts';

const SIZES: readonly Size[] = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
  { width: 320, height: 240 },
];
const CASES = PROFILE_IDS.flatMap(id => SIZES.map(screen => ({ id, screen, profile: PROFILES[id] })));

/** Writes an action as a model of the family would. */
type Writer = (action: Action, space: CoordinateSpace) => string;

const code: Writer = (action, space) => {
  const xy = (point: Point) => {
    const [x, y] = toPicture(space, point);
    return `x=${x}, y=${y}`;
  };
  const inBlock = (line: string) => `## Action:\nGo on.\n\n## Code:\n\`\`\`python\n${line}\n\`\`\``;
  switch (action.kind) {
    case 'click':
      return inBlock(`pyautogui.click(${xy(action.at)})`);
    case 'double_click':
      return inBlock(`pyautogui.doubleClick(${xy(action.at)})`);
    case 'right_click':
      return inBlock(`pyautogui.rightClick(${xy(action.at)})`);
    case 'middle_click':
      return inBlock(`pyautogui.middleClick(${xy(action.at)})`);
    case 'triple_click':
      return inBlock(`computer.triple_click(${xy(action.at)})`);
    case 'move':
      return inBlock(`pyautogui.moveTo(${xy(action.at)})`);
    case 'drag':
      return inBlock(`pyautogui.moveTo(${xy(action.from)})\npyautogui.dragTo(${xy(action.to)})`);
    case 'scroll': {
      const sign = action.direction === 'up' || action.direction === 'right' ? '' : '-';
      const name = action.direction === 'up' || action.direction === 'down' ? 'scroll' : 'hscroll';
      return inBlock(`pyautogui.${name}(${sign}${action.notches}, ${xy(action.at)})`);
    }
    case 'wait':
      return inBlock('computer.wait()');
    case 'finished':
      return inBlock("computer.terminate(status='success')");
    case 'fail':
      return inBlock("computer.terminate(status='failure')");
    default:
      return inBlock(pyautogui.encode(action));
  }
};
const call: Writer = (action, space) => `Action: Go on.\n${computerUse(space).encode(action)}`;
const turn: Writer = (action, space) => `Thought: Go on.\nAction: ${uitars(space).encode(action)}`;

const WRITERS: Readonly<Record<ProfileId, Writer>> = {
  'ui-tars-1.5': turn,
  'ui-tars-1.0': turn,
  'qwen2.5-vl': call,
  'qwen3-vl': call,
  'gui-owl-1.5': call,
  opencua: code,
  evocua: call,
  generic: writeGeneric,
  micro: turn,
};

/** The actions that a reply of the family expresses. */
const canExpress = (id: ProfileId, candidate: Action): boolean => {
  if (id.startsWith('ui-tars') || id === 'micro') return byUitars(candidate);
  if (id === 'opencua') {
    // Numbers from 0 to 1 with a fraction are parts of the screen.
    const points =
      'at' in candidate ? [candidate.at] : candidate.kind === 'drag' ? [candidate.from, candidate.to] : [];
    // A code block ends at the next fence.
    return (
      byPyautogui(candidate) &&
      points.every(({ x, y }) => x > 1 || y > 1) &&
      !(candidate.kind === 'type' && candidate.text.includes('```'))
    );
  }
  return id === 'generic' ? byGeneric(candidate) : byComputerUse(candidate);
};

const FRAGMENTS = [
  '<tool_call>',
  '</tool_call>',
  '{"name": "computer_use", "arguments": ',
  '{"action": "left_click", ',
  '"coordinate": [1, 2]',
  '"keys": ["ctrl", 7]',
  '"pixels": 1e999',
  '{"action": "click", "element": ',
  '<function=computer_use>',
  '<parameter=action>type</parameter>',
  '## Code:\n```python\n',
  '```',
  'pyautogui.click(',
  'computer.terminate(',
  '# Step 1:\n',
  '<think>',
  '</think>',
  '}',
  ']',
  ')',
  ',',
  '-5',
  '"__proto__": {}',
  "'",
  '"',
  '\\u12',
  '\\',
];
const garbage: fc.Arbitrary<string> = fc.oneof(
  scribble,
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), scribble), { maxLength: 16 }).map(parts => parts.join('')),
);

describe.each(PROFILE_IDS)('%s', id => {
  const profile: Profile = PROFILES[id];
  const frame = frameOf(profile, { width: 1920, height: 1080 });

  test('reads any text: actions on the screen, or a reason why there are none', () => {
    fc.assert(
      fc.property(garbage, raw => {
        const reading = profile.read(raw, frame);
        if (reading.kind === 'malformed') expect(reading.why).not.toBe('');
        for (const { action: each } of reading.kind === 'actions' ? reading.actions : []) {
          const points = 'at' in each ? [each.at] : each.kind === 'drag' ? [each.from, each.to] : [];
          for (const { x, y } of points) {
            expect([x, y].every(Number.isInteger)).toBe(true);
            expect(x >= 0 && y >= 0 && x < frame.screen.width && y < frame.screen.height).toBe(true);
          }
          if (each.kind === 'scroll')
            expect(Number.isSafeInteger(each.notches) && each.notches >= 1).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('thousands of repeated parts are an unreadable reply', () => {
    for (const part of [
      '{"action": ',
      '{',
      "Action: type(content='",
      '<tool_call>',
      '```',
      "'",
      '\n',
      '# Step\n',
      'Action:',
    ])
      for (const end of ['', 'x'])
        expect(profile.read(part.repeat(10_000) + end, frame).kind).toBe('malformed');
  });
});

test('opencua reads what it writes for a scroll of a stored trajectory, with fewer notches', () => {
  const { read, write } = PROFILES.opencua;
  const frame = frameOf(PROFILES.opencua, { width: 1920, height: 1080 });
  const scroll: Action = { kind: 'scroll', at: { x: 960, y: 540 }, direction: 'down', notches: 500 };
  expect(read(write(scroll, frame), frame)).toMatchObject({
    kind: 'actions',
    actions: [{ action: { ...scroll, notches: MAX_NOTCHES } }],
  });
});

describe.each(CASES)('$id on $screen.width × $screen.height', ({ id, screen, profile }) => {
  const frame = frameOf(profile, screen);
  const space = spaceOf(profile.coordinates, frame);

  test('every action that the grammar expresses comes back', () => {
    fc.assert(
      fc.property(action(screen), original => {
        const candidate = id === 'opencua' ? wordless(original) : original;
        fc.pre(canExpress(id, candidate));
        const reading = profile.read(WRITERS[id](candidate, space), frame);
        expect(reading).toMatchObject({ kind: 'actions', actions: [{ action: candidate }] });
      }),
      { numRuns: 1000 },
    );
  });

  test('a turn of somebody else is written so that it reads as the same action, or does not read at all', () => {
    fc.assert(
      fc.property(action(screen), original => {
        const written = profile.write(original, frame);
        const reading = profile.read(written, frame);
        if (canExpress(id, original))
          expect(reading).toMatchObject({ kind: 'actions', actions: [{ action: original }] });
        else if (reading.kind === 'actions')
          expect(reading.actions.map(each => each.action)).toEqual([original]);
      }),
      { numRuns: 1000 },
    );
  });

  test('a click on the centre of a target in the sent image lands within 1 pixel × scale of it', () => {
    const boxes = fc.record({
      x: fc.integer({ min: 8, max: screen.width - 16 }),
      y: fc.integer({ min: 8, max: screen.height - 16 }),
      width: fc.constant(9),
      height: fc.constant(9),
    });
    fc.assert(
      fc.property(boxes, (box: Box) => {
        const target = centre(box);
        const { width, height } = space.picture;
        // As a model reads it from the image: a whole number.
        const x = Math.round((target.x * width) / screen.width);
        const y = Math.round((target.y * height) / screen.height);
        const seen = { screen: space.picture, picture: space.picture };
        const reading = profile.read(WRITERS[id]({ kind: 'click', at: { x, y } }, seen), frame);
        const [first] = reading.kind === 'actions' ? reading.actions : [];
        const at = first?.action.kind === 'click' ? first.action.at : { x: -99, y: -99 };
        expect(Math.abs(at.x - target.x)).toBeLessThanOrEqual(Math.max(1, screen.width / width));
        expect(Math.abs(at.y - target.y)).toBeLessThanOrEqual(Math.max(1, screen.height / height));
      }),
    );
  });
});
