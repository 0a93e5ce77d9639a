// The scores of guided random decisions. They prefer to press what can be pressed and what the instruction names, and to type what it quotes
// into an empty field. The scores are constants: they are not trained, and they are the same for every task.
//
// A score is the logarithm of a weight: a choice with the score 2 is tried seven times as often as one with the score 0.

import type { Graph, Value } from '../../../graph/graph.ts';
import * as op from '../../../graph/ops/index.ts';
import { KINDS, type PolicyActionKind } from '../action-kinds.ts';
import { CHORDS } from '../chords.ts';
import * as number from '../token-numbers.ts';
import type { HeadAnswers } from './answers.ts';

const KIND_SCORES: Readonly<Record<PolicyActionKind, number>> = {
  click: 2.7,
  hotkey: -0.5,
  drag: -0.5,
  scroll_down: -0.5,
  scroll_up: -1,
  double_click: -1,
  right_click: -1.5,
  wait: -1,
  finished: -1.5,
  fail: -2,
  type: -1.5,
};
/** Added to `type` while a field has the focus, and again while the field is empty. */
const FIELD_SCORE = 1.5;
const EMPTY_FIELD_SCORE = 3.7;

const PLACE_SCORES = {
  ...{ button: 1.5, link: 1.5, textfield: 1.5, textarea: 1.2, dropdown: 1.2, slider: 0.7, spinner: 1 },
  ...{ checkbox: 2, radio: 2, tab: 1.2, menuitem: 1.2, listitem: 1, treeitem: 1.2 },
  ...{ image: 0.7, icon: 0.7, cell: 0.3, gridcell: 0.7, row: 0.3, label: -1.3 },
  ...{ window: -1, document: -1, titlebar: -1 },
} as const;
const PLACE_FEATURE_SCORES: Scores = [
  [number.NAMED, 1.5],
  [number.SHARE, 0.7],
  // Pressing it again would change nothing, or undo the press.
  [stateNumber('focused'), -2],
  [stateNumber('checked'), -2],
  [stateNumber('selected'), -1],
  [stateNumber('disabled'), -3],
];

/** Of a text field while it is empty: what comes after it, such as a button that sends the form, can wait. */
const EMPTY_PLACE_SCORE = 2.5;
/** Of what shares its words with a recent action: the place that was pressed, the text that was typed. */
const AGAIN_SCORE = -2;

/** Of the content of a text field, typed into another. */
const CONTENT_SCORE = 2;
const TEXT_SORT_SCORES: Scores = [[number.MEMORY, -0.3]];
const TEXT_FEATURE_SCORES: Scores = [
  [number.QUOTED, 2],
  [number.OPENS, 1.5],
  [number.CAPITAL, 1.2],
  [number.DIGITS, 1.2],
  [number.SIGN, -3],
];
const END_FEATURE_SCORES: Scores = [
  [number.CLOSES, 2.5],
  [number.CAPITAL, 0.5],
  [number.DIGITS, 1],
  [number.SIGN, -2],
];
/** Per word of a text: short texts are typed more often. */
const WORD_SCORE = -0.5;
const WHOLE_TEXT_SCORE = 1.5;

const KEY_SCORES: Readonly<Record<string, number>> = {
  ...{ enter: 1.5, tab: 1.5, esc: 0.5, backspace: 0.5, down: 0.5, pagedown: 0.5 },
  ...{ 'ctrl+a': 1, 'ctrl+c': 1, 'ctrl+v': 1 },
};

type Scores = readonly (readonly [index: number, score: number])[];

export class Guidance {
  readonly #graph: Graph;
  readonly #answers: HeadAnswers;
  /** 1 for text fields: [B, T]. */
  readonly #isTextField: Value;
  /** Of each token: [B, T]. */
  readonly #again: Value;

  constructor(answers: HeadAnswers) {
    this.#graph = answers.graph;
    this.#answers = answers;
    this.#isTextField = this.#bySort([
      [roleNumber('textfield'), 1],
      [roleNumber('textarea'), 1],
    ]);
    const isPast = this.#bySort(KINDS.map((_, kind) => [number.FIRST_PAST + kind, 1]));
    const shared = op.reshape(op.matmul(answers.input.relation, op.unsqueeze(isPast, 2)), ['B', 'T']);
    this.#again = op.mul(op.cast(op.less(0, shared), 'float32'), AGAIN_SCORE);
  }

  /** [B, kinds] */
  kinds(): Value {
    const hasFocus = op.mul(this.#isTextField, this.#byFeature([[stateNumber('focused'), 1]]));
    const isEmpty = op.mul(hasFocus, this.#byFeature([[number.EMPTY, 1]]));
    const most = (flags: Value) => op.reduceMax(flags, [1], { keepDims: true });
    const typing = op.add(op.mul(most(hasFocus), FIELD_SCORE), op.mul(most(isEmpty), EMPTY_FIELD_SCORE));
    const isType = this.#row(KINDS.map(kind => Number(kind === 'type')));
    return op.add(this.#row(KINDS.map(kind => KIND_SCORES[kind])), op.mul(typing, isType));
  }

  /** [B, T], for the place of an action. */
  places(): Value {
    const roles = Object.entries(PLACE_SCORES).map(([role, score]) => [roleNumber(role), score] as const);
    const inGeneral = op.add(
      this.#bySort([...roles, [number.PATCH, -0.5]]),
      this.#byFeature(PLACE_FEATURE_SCORES),
    );
    const isEmptyField = op.mul(this.#isTextField, this.#byFeature([[number.EMPTY, 1]]));
    return op.add(op.add(inGeneral, this.#again), op.mul(isEmptyField, EMPTY_PLACE_SCORE));
  }

  /** [B, T], for the first word of a text, or the element that has it. */
  texts(): Value {
    const inGeneral = op.add(this.#bySort(TEXT_SORT_SCORES), this.#byFeature(TEXT_FEATURE_SCORES));
    const hasContent = op.mul(this.#isTextField, op.sub(1, this.#byFeature([[number.EMPTY, 1]])));
    return op.add(op.add(inGeneral, this.#again), op.mul(hasContent, CONTENT_SCORE));
  }

  /** [B, T], for the last word of a text of the instruction. `start` is the token of the first word, [B]. */
  ends(start: Value): Value {
    return op.add(this.#byDistance(this.#answers.order, start), this.#byFeature(END_FEATURE_SCORES));
  }

  /** [1, words + 1], for the first word of another text. The last choice is the whole text. */
  firstWords(): Value {
    return this.#row([...Array.from({ length: number.SLOTS_OF_WORDS }, () => 0), WHOLE_TEXT_SCORE]);
  }

  /** [B, words]. `places` numbers the words, `first` is the chosen first one, [B]. */
  lastWords(places: Value, first: Value): Value {
    return this.#byDistance(places, first);
  }

  /** [1, chords] */
  keys(): Value {
    return this.#row(CHORDS.map(chord => KEY_SCORES[chord.join('+')] ?? 0));
  }

  #byDistance(places: Value, start: Value): Value {
    return op.mul(op.cast(op.sub(places, op.unsqueeze(start, 1)), 'float32'), WORD_SCORE);
  }

  #bySort(scores: Scores): Value {
    return op.gather(
      this.#graph.constant('float32', [number.SORTS], filled(number.SORTS, scores)),
      this.#answers.input.sorts,
    );
  }

  #byFeature(scores: Scores): Value {
    const weights = this.#graph.constant('float32', [number.FEATURES, 1], filled(number.FEATURES, scores));
    return op.reshape(op.matmul(this.#answers.input.features, weights), ['B', 'T']);
  }

  #row(scores: readonly number[]): Value {
    return this.#graph.constant('float32', [1, scores.length], [...scores]);
  }
}

function filled(length: number, scores: Scores): number[] {
  const all = Array.from({ length }, () => 0);
  for (const [index, score] of scores) all[index] = score;
  return all;
}

function roleNumber(role: string): number {
  const found = number.ROLE_NUMBERS.get(role);
  if (found === undefined)
    throw new RangeError(`The role '${role}' has no number. Use one of token-numbers.ts.`);
  return found;
}

function stateNumber(state: (typeof number.STATES)[number]): number {
  return number.FIRST_STATE + number.STATES.indexOf(state);
}
