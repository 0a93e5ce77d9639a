// The grammar of the generic profile: one JSON object for each action, with targets as numbers of elements or as coordinates.

import { type Action, type Direction, MAX_NOTCHES } from '../../../core/action.ts';
import type { Element, Point } from '../../../core/screen.ts';
import { centre } from '../../../core/screen.ts';
import { ActionFormatError, assertWhole } from '../../codecs/codec.ts';
import { Fields } from '../../codecs/fields.ts';
import { keysNamed, withoutCapitals } from '../../codecs/keys.ts';
import type { LooseObject } from '../../codecs/loose-object.ts';
import { jsonWithoutMarks, type ToolCall, toolCallsIn } from '../../codecs/tool-calls.ts';
import { targetOf } from '../elements.ts';
import { type CoordinateSpace, toPicture } from '../frame.ts';
import type { Frame, ReadAction } from '../profile.ts';
import type { ReadTurn } from '../reading.ts';

const FORMAT = 'generic';

export const DEFAULT_NOTCHES = 3;

/** The kinds of actions that only need a target. */
const POINTED = ['click', 'double_click', 'right_click', 'middle_click', 'triple_click', 'move'] as const;
type PointedKind = (typeof POINTED)[number];

const TARGET = ['element', 'x', 'y'];
/** The fields of each action. Unknown fields are errors: they may change what the action means. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...POINTED.map(kind => [kind, TARGET] as const),
  ['type', ['text', 'enter', ...TARGET]],
  ['hotkey', ['keys']],
  ['scroll', ['direction', 'amount', ...TARGET]],
  ['drag', [...TARGET, 'to_element', 'to_x', 'to_y']],
  ['wait', ['seconds']],
  ['finished', ['answer']],
  ['fail', ['reason']],
]);
const REMEDY = `use one of ${[...FIELDS.keys()].join(', ')}`;
/** Fields that carry no action. */
const REMARKS: readonly string[] = ['action', 'thought', 'reason', 'explanation', 'step'];
const DIRECTIONS: readonly Direction[] = ['up', 'down', 'left', 'right'];

/** Throws an ActionFormatError for a reply without a readable action. */
export function readGeneric(raw: string, frame: Frame, space: CoordinateSpace): ReadTurn {
  const refuse = (reason: string): never => {
    throw new ActionFormatError(FORMAT, raw, reason);
  };
  const { thought, calls } = toolCallsIn(raw, FORMAT);
  if (calls.length > 1) refuse(`has ${calls.length} JSON objects with actions: write one`);
  const actions = calls.flatMap(call => new GenericCall(call, frame, space, refuse).actions());
  return { thought: thought === '' ? (remarkOf(calls[0]?.arguments) ?? '') : thought, actions };
}

const remarkOf = (fields: LooseObject | undefined): string | undefined => {
  const remark = fields?.get('thought');
  return typeof remark === 'string' ? remark : undefined;
};

class GenericCall {
  readonly #name: string;
  readonly #fields: Fields;

  constructor(
    { name, arguments: given }: ToolCall,
    readonly frame: Frame,
    readonly space: CoordinateSpace,
    refuse: (reason: string) => never,
  ) {
    this.#name = (name ?? new Fields(given, refuse).text('action') ?? '').trim().toLowerCase();
    this.#fields = new Fields(given, reason => refuse(`${this.#name} ${reason}`));
    const known =
      FIELDS.get(this.#name) ?? refuse(`${JSON.stringify(this.#name)} is not an action: ${REMEDY}`);
    const unknown = [...given.keys()].find(field => !known.includes(field) && !REMARKS.includes(field));
    if (unknown !== undefined) this.#fields.refuse(`does not take ${unknown}: remove it`);
  }

  actions(): readonly ReadAction[] {
    const fields = this.#fields;
    switch (this.#name) {
      case 'type':
        return this.#type();
      case 'hotkey':
        return [
          plain({ kind: 'hotkey', keys: withoutCapitals(keysNamed(fields.keyNames('keys'), fields.refuse)) }),
        ];
      case 'scroll':
        return [this.#scroll()];
      case 'drag': {
        const [from, to] = [this.#target(''), this.#target('to_')];
        return [
          {
            action: { kind: 'drag', from: from.point, to: to.point },
            elements: [...from.elements, ...to.elements],
          },
        ];
      }
      case 'wait':
        return [plain({ kind: 'wait' })];
      case 'finished':
        return [plain({ kind: 'finished', answer: fields.text('answer') ?? '' })];
      case 'fail':
        return [plain({ kind: 'fail', why: fields.text('reason') ?? '' })];
      default: {
        const kind = POINTED.find(each => each === this.#name) ?? fields.refuse('is not an action');
        return [this.#pointed(kind)];
      }
    }
  }

  #pointed(kind: PointedKind): ReadAction {
    const { point, elements } = this.#target('');
    return { action: { kind, at: point }, elements };
  }

  /** With a target, the element is clicked first. */
  #type(): readonly ReadAction[] {
    const fields = this.#fields;
    const text = fields.text('text') ?? fields.refuse('has no text: add it');
    const typed = plain({ kind: 'type', text: fields.flag('enter') ? `${text}\n` : text });
    return this.#hasTarget() ? [this.#pointed('click'), typed] : [typed];
  }

  /** Without a target, the view in the middle of the screen scrolls. */
  #scroll(): ReadAction {
    const fields = this.#fields;
    const text = fields.text('direction') ?? fields.refuse('has no direction: add it');
    const direction =
      DIRECTIONS.find(name => name === text.trim().toLowerCase()) ??
      fields.refuse(`has the direction ${JSON.stringify(text)}: use up, down, left or right`);
    const amount = fields.number('amount') ?? DEFAULT_NOTCHES;
    const notches = Math.round(amount);
    if (notches < 1 || notches > MAX_NOTCHES)
      fields.refuse(`has the amount ${amount}: use a whole number from 1 to ${MAX_NOTCHES}`);
    const { point, elements } = this.#hasTarget()
      ? this.#target('')
      : { point: centre({ x: 0, y: 0, ...this.frame.screen }), elements: [] };
    return { action: { kind: 'scroll', at: point, direction, notches }, elements };
  }

  #hasTarget(): boolean {
    return TARGET.some(field => this.#fields.has(field));
  }

  #target(prefix: '' | 'to_'): { readonly point: Point; readonly elements: readonly number[] } {
    const fields = this.#fields;
    const number = fields.number(`${prefix}element`);
    if (number !== undefined) return { point: this.#targetOf(number), elements: [number] };
    const [x, y] = [fields.number(`${prefix}x`), fields.number(`${prefix}y`)];
    if (x === undefined || y === undefined)
      return fields.refuse(`has no target: add ${prefix}element, or ${prefix}x and ${prefix}y`);
    return { point: fields.place(x, y, this.space), elements: [] };
  }

  #targetOf(number: number): Point {
    const { elements, screen } = this.frame;
    const element: Element | undefined = elements[number - 1];
    if (element === undefined) {
      const range = elements.length === 0 ? 'the list is empty' : `use a number from 1 to ${elements.length}`;
      return this.#fields.refuse(`names element ${number}, which is not in the list: ${range}`);
    }
    return (
      targetOf(element.box, screen) ??
      this.#fields.refuse(`names element ${number}, which is outside the screen: scroll to it`)
    );
  }
}

const plain = (action: Action): ReadAction => ({ action, elements: [] });

/** Writes an action with coordinates. Throws an ActionFormatError for an action that the reader would not read as this one. */
export function writeGeneric(action: Action, space: CoordinateSpace): string {
  assertWhole(action, FORMAT);
  const refuse = (reason: string): never => {
    throw new ActionFormatError(FORMAT, action, reason);
  };
  const xy = (point: Point, prefix = '') => {
    const [x, y] = toPicture(space, point).map(Number);
    return { [`${prefix}x`]: x, [`${prefix}y`]: y };
  };
  const { kind } = action;
  switch (kind) {
    case 'type':
      return jsonWithoutMarks({ action: kind, text: action.text });
    case 'hotkey':
      if (withoutCapitals(action.keys).join() !== action.keys.join())
        refuse('cannot write a capital letter in a chord: add shift and use the small letter');
      return jsonWithoutMarks({ action: kind, keys: action.keys });
    case 'scroll':
      if (action.notches > MAX_NOTCHES)
        refuse(`cannot scroll ${action.notches} notches: ${MAX_NOTCHES} is the most`);
      return jsonWithoutMarks({
        action: kind,
        direction: action.direction,
        amount: action.notches,
        ...xy(action.at),
      });
    case 'drag':
      return jsonWithoutMarks({ action: kind, ...xy(action.from), ...xy(action.to, 'to_') });
    case 'wait':
      return jsonWithoutMarks({ action: kind });
    case 'finished':
      return jsonWithoutMarks({ action: kind, ...(action.answer !== '' && { answer: action.answer }) });
    case 'fail':
      return jsonWithoutMarks({ action: kind, ...(action.why !== '' && { reason: action.why }) });
    case 'none':
      return refuse('there is no object for a turn without an action: omit it');
    default:
      return jsonWithoutMarks({ action: kind, ...xy(action.at) });
  }
}
