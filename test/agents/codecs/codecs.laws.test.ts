// Laws that hold for every action format, over random actions and random garbage.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ActionCodec, ActionFormatError } from '../../../runtime/agents/codecs/codec.ts';
import { computerUse } from '../../../runtime/agents/codecs/computer-use.ts';
import { computer13 } from '../../../runtime/agents/codecs/computer13.ts';
import { pyautogui, readCode } from '../../../runtime/agents/codecs/pyautogui.ts';
import { uitars } from '../../../runtime/agents/codecs/uitars.ts';
import { ownPixels, spaceOn } from '../../../runtime/agents/model/frame.ts';
import { FRAME_RULES } from '../../../runtime/agents/model/profiles/frames.ts';
import { writeGeneric } from '../../../runtime/agents/model/profiles/generic-grammar.ts';
import { ACTION_KINDS, type Action, MAX_STORED_NOTCHES, wordless } from '../../../runtime/core/action.ts';
import type { Size } from '../../../runtime/core/screen.ts';
import { action, SCREEN, scribble, size } from '../../core/arbitraries.ts';
import { byComputer13, byComputerUse, byGeneric, byPyautogui, byUitars } from './expressible.ts';

const RUNS = { numRuns: 2000 };
const CODE_RULES = { maxNotches: MAX_STORED_NOTCHES };

const comesBack = <Wire, Read>(codec: ActionCodec<Wire & Read, Read>, original: Action): void => {
  expect(codec.decode(codec.encode(original))).toEqual(original);
};

const throwsOnlyFormatErrors = (decode: () => unknown): void => {
  try {
    decode();
  } catch (error) {
    expect(error).toBeInstanceOf(ActionFormatError);
  }
};

describe('decoding reverses encoding for every action', () => {
  test.each([
    ['own pixels', ownPixels],
    ['multiples of 28', (screen: Size) => spaceOn(FRAME_RULES['ui-tars-1.5'], screen)],
    ['thousandths', (screen: Size) => spaceOn(FRAME_RULES['ui-tars-1.0'], screen)],
  ] as const)('ui-tars, in %s of any screen', (_, spaceOf) => {
    const screenAndAction = size.chain(screen => fc.tuple(fc.constant(screen), action(screen)));
    fc.assert(
      fc.property(screenAndAction, ([screen, original]) => {
        fc.pre(byUitars(original));
        comesBack(uitars(spaceOf(screen)), original);
      }),
      RUNS,
    );
  });

  test('ui-tars, in a turn with a thought', () => {
    const codec = uitars(ownPixels(SCREEN));
    fc.assert(
      fc.property(action(SCREEN).filter(byUitars), original => {
        const turn = `Thought: I shall do it.\nAction: ${codec.encode(original)}`;
        expect(codec.decode(turn)).toEqual(original);
      }),
      RUNS,
    );
  });

  test('ui-tars, several in one turn', () => {
    const codec = uitars(ownPixels(SCREEN));
    const actions = fc.array(action(SCREEN).filter(byUitars), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(actions, originals => {
        expect(codec.decodeAll(originals.map(codec.encode).join('\n\n'))).toEqual(originals);
      }),
    );
  });

  test('computer_use, on any screen', () => {
    const screenAndAction = size.chain(screen => fc.tuple(fc.constant(screen), action(screen)));
    fc.assert(
      fc.property(screenAndAction, ([screen, original]) => {
        fc.pre(byComputerUse(original));
        comesBack(computerUse(ownPixels(screen)), original);
      }),
      RUNS,
    );
  });

  test('pyautogui, except the text of the last action', () => {
    fc.assert(
      fc.property(action(SCREEN).map(wordless).filter(byPyautogui), original => {
        expect(readCode(pyautogui.encode(original), CODE_RULES)).toEqual([original]);
      }),
      RUNS,
    );
  });

  test('computer_13, also through JSON', () => {
    fc.assert(
      fc.property(action(SCREEN), original => {
        const wire: unknown = JSON.parse(JSON.stringify(computer13.encode(original)));
        expect(computer13.decode(wire)).toEqual(original);
      }),
      RUNS,
    );
  });
});

describe('a format rejects exactly the actions that it does not express', () => {
  const space = ownPixels(SCREEN);
  test.each<[string, (original: Action) => unknown, (original: Action) => boolean]>([
    ['ui-tars', uitars(space).encode, byUitars],
    ['pyautogui', pyautogui.encode, byPyautogui],
    ['computer_13', computer13.encode, byComputer13],
    ['computer_use', computerUse(space).encode, byComputerUse],
    ['generic', original => writeGeneric(original, space), byGeneric],
  ])('%s', (_, encode, expresses) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(action(SCREEN), original => {
        seen.add(original.kind);
        if (expresses(original)) expect(encode(original)).toBeDefined();
        else expect(() => encode(original)).toThrow(ActionFormatError);
      }),
      RUNS,
    );
    expect([...seen].sort()).toEqual([...ACTION_KINDS].sort());
  });
});

describe('invalid input throws an ActionFormatError and nothing else', () => {
  const codec = uitars(spaceOn(FRAME_RULES['ui-tars-1.5'], SCREEN));

  test('ui-tars', () => {
    fc.assert(
      fc.property(scribble, wire => throwsOnlyFormatErrors(() => codec.decodeAll(wire))),
      RUNS,
    );
  });

  test('pyautogui', () => {
    fc.assert(
      fc.property(scribble, wire => throwsOnlyFormatErrors(() => readCode(wire, CODE_RULES))),
      RUNS,
    );
  });

  test('computer_13', () => {
    const types = [
      'CLICK',
      'SCROLL',
      'TYPING',
      'PRESS',
      'HOTKEY',
      'KEY_DOWN',
      'MOVE_TO',
      'DRAG_TO',
      'MOUSE_UP',
      'DONE',
    ];
    const nearly = fc.record(
      {
        action_type: fc.oneof(fc.constantFrom(...types), fc.anything()),
        parameters: fc.oneof(
          fc.anything(),
          fc.dictionary(
            fc.constantFrom('x', 'y', 'button', 'dx', 'dy', 'text', 'key', 'keys'),
            fc.anything(),
          ),
        ),
      },
      { requiredKeys: ['action_type'] },
    );
    const wires = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true }),
      nearly,
      fc.array(nearly),
    );
    fc.assert(
      fc.property(wires, wire => throwsOnlyFormatErrors(() => computer13.decodeAll(wire))),
      RUNS,
    );
  });

  test('a damaged encoding fails or is still an action', () => {
    const damaged = fc
      .tuple(action(SCREEN).filter(byUitars), fc.nat(), fc.nat(4))
      .map(([original, at, length]) => {
        const wire = codec.encode(original);
        const start = at % wire.length;
        return wire.slice(0, start) + wire.slice(start + length);
      });
    fc.assert(
      fc.property(damaged, wire =>
        throwsOnlyFormatErrors(() => expect(codec.decodeAll(wire).length).toBeGreaterThan(0)),
      ),
      RUNS,
    );
  });
});

describe('an action that a format cannot express is an error with the value and the remedy', () => {
  const at = { x: 3, y: 4 };
  const codec = uitars(ownPixels(SCREEN));

  test('a scroll distance, in ui-tars', () => {
    expect(() => codec.encode({ kind: 'scroll', at, direction: 'up', notches: 7 })).toThrow(
      /scroll of 7 notches/,
    );
  });

  test('a point off the screen, in ui-tars', () => {
    const off: Action = { kind: 'click', at: { x: 1920, y: 0 } };
    expect(() => codec.encode(off)).toThrow(/\(1920, 0\) is off the 1920 × 1080 screen/);
  });

  test('the text of the last action, in pyautogui', () => {
    expect(() => pyautogui.encode({ kind: 'finished', answer: '42' })).toThrow(/wordless.*42/);
    expect(() => pyautogui.encode({ kind: 'fail', why: 'no' })).toThrow(ActionFormatError);
  });

  test.each<Action>([
    { kind: 'click', at: { x: -1, y: 0 } },
    { kind: 'drag', from: at, to: { x: 0.5, y: 0 } },
    { kind: 'move', at: { x: 0, y: Number.NaN } },
    { kind: 'scroll', at, direction: 'up', notches: 0 },
    { kind: 'scroll', at, direction: 'up', notches: 1.5 },
    { kind: 'scroll', at, direction: 'up', notches: 10_001 },
  ])('%j, in every format', original => {
    for (const encode of [codec.encode, pyautogui.encode, computer13.encode]) {
      expect(() => encode(original)).toThrow(/is not a pixel|cannot scroll/);
      expect(() => encode(original)).toThrow(ActionFormatError);
    }
  });
});
