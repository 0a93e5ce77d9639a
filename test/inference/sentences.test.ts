// Choices as sentences, on screens of the pocket desktop.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Choices, COPY_WHOLE_TEXT, choicesFor } from '../../runtime/agents/compact/act.ts';
import { KINDS } from '../../runtime/agents/compact/action-kinds.ts';
import { ScreenObserver } from '../../runtime/agents/compact/screen-observer.ts';
import { tokenAt } from '../../runtime/agents/compact/token-at.ts';
import { NAME_WORDS } from '../../runtime/agents/compact/token-numbers.ts';
import { tokensOf } from '../../runtime/agents/compact/tokens.ts';
import type { Action } from '../../runtime/core/action.ts';
import { desktopId, seed } from '../../runtime/core/ids.ts';
import { key } from '../../runtime/core/key.ts';
import { centre } from '../../runtime/core/screen.ts';
import { PocketDesktop } from '../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { actionInWords } from '../../runtime/inference/action-words.ts';
import { type ObservedStep, sentenceFor, sentenceForAlternative } from '../../runtime/inference/sentences.ts';
import { Episode } from '../../runtime/rollout/episode.ts';
import { element, seenOf } from '../agents/compact/screens.ts';

let shown: ObservedStep;
beforeAll(async () => {
  const number = seed(1000);
  const task = POCKET.task('settings-night-light', number);
  const options = { task, seed: number, maxSteps: 6 };
  const instruction = 'Turn on night light and write "good night"';
  const episode = await Episode.start(new PocketDesktop(desktopId('d')), { ...options, instruction });
  const { tokens, observation } = new ScreenObserver(instruction, 'screenshot_a11y_tree', episode.screen);
  shown = { tokens, seen: observation, instruction };
});

const at = (name: string) => {
  const element = shown.seen.elements.find(each => each.name === name);
  if (element === undefined) throw new Error(`There is no ${name}.`);
  return centre(element.box);
};

const chosen = (action: Action): Choices => {
  const choices = choicesFor(shown.tokens, shown.instruction, action);
  if (choices === undefined) throw new Error(`Nothing makes ${JSON.stringify(action)}.`);
  return choices;
};

describe('in a sentence', () => {
  test.each<[string, () => Action]>([
    ['click checkbox "Night light"', () => ({ kind: 'click', at: at('Night light') })],
    ['double-click radio "Dark"', () => ({ kind: 'double_click', at: at('Dark') })],
    [
      'drag radio "Dark" to checkbox "Night light"',
      () => ({ kind: 'drag', from: at('Dark'), to: at('Night light') }),
    ],
    [
      'scroll down in radio "Dark"',
      () => ({ kind: 'scroll', at: at('Dark'), direction: 'down', notches: 5 }),
    ],
    ['write "good night"', () => ({ kind: 'type', text: 'good night' })],
    ['press Ctrl+S', () => ({ kind: 'hotkey', keys: [key('ctrl'), key('s')] })],
    ['wait', () => ({ kind: 'wait' })],
    ['report the task as done', () => ({ kind: 'finished', answer: '' })],
    ['report the task as infeasible', () => ({ kind: 'fail', why: '' })],
  ])('%s', (sentence, action) => {
    expect(sentenceFor(shown, chosen(action()))).toBe(sentence);
  });
});

test('a text is one line without control characters, and is cut between two characters', () => {
  const written = (text: string) => actionInWords({ kind: 'type', text }, () => '');
  expect(written('a\nb\u001b[2Jc\td\u2028e')).toBe('write "a ⏎ b [2Jc ⇥ d e"');
  expect(written('a  b')).toBe('write "a  b"');
  expect(written('😀'.repeat(48))).toBe(`write "${'😀'.repeat(48)}"`);
  expect(written('😀'.repeat(49))).toBe(`write "${'😀'.repeat(47)}…"`);
});

test('the runner-up differs in one choice', () => {
  const choices = chosen({ kind: 'click', at: at('Night light') });
  const other = tokenAt(shown.tokens, at('Dark')) ?? -1;
  expect(sentenceForAlternative(shown, choices, 'pointer', other)).toBe('click radio "Dark"');
  expect(sentenceForAlternative(shown, choices, 'kind', KINDS.indexOf('fail'))).toBe(
    'report the task as infeasible',
  );
  const writing = chosen({ kind: 'type', text: 'good night' });
  expect(sentenceForAlternative(shown, writing, 'text', 1)).toBe('write from "Turn" on');
});

describe('a runner-up that begins with another word', () => {
  const instruction = 'Go';
  const seen = seenOf(instruction, [
    element({ role: 'textfield', name: 'Owner', value: 'Ada Abel Oakley' }),
    element({ role: 'label', name: 'red green blue' }),
  ]);
  const step: ObservedStep = { tokens: tokensOf(seen), seen, instruction };

  test.each([
    ['a value', 0, NAME_WORDS, ['Ada', 'Abel', 'Oakley']],
    ['a name', 1, 0, ['red', 'green', 'blue']],
  ] as const)('of %s', (_name, index, from, words) => {
    const copy = { kind: KINDS.indexOf('type'), text: 1 + step.tokens.words + index };
    const nearly = (choices: Choices, other: number) =>
      sentenceForAlternative(step, { ...copy, ...choices }, 'first', other);
    const each = [...words.keys()];
    // The number of an unused slot means nothing, and may be out of range.
    for (const last of [0, COPY_WHOLE_TEXT])
      expect(each.map(word => nearly({ first: COPY_WHOLE_TEXT, last }, from + word))).toEqual(
        words.map(word => `write "${word}"`),
      );
    const part = { first: from, last: from + 1 };
    expect(nearly(part, from + 1)).toBe(`write "${words[1]}"`);
    expect(nearly(part, from + 2)).toBe(`write "${words[2]}"`);
    expect(nearly(part, COPY_WHOLE_TEXT)).toBe(`write "${words.join(' ')}"`);
  });
});
