// The interface and the error of all action formats.

import { type Action, MAX_STORED_NOTCHES, pointsOf } from '../../core/action.ts';
import type { Point } from '../../core/screen.ts';

/**
 * Laws: decode(encode(a)) equals a for every action that the format can express; encode throws for other actions, decode throws for
 * anything but exactly one action. Both throw only ActionFormatError.
 */
export interface ActionCodec<Wire, Read = Wire> {
  encode(action: Action): Wire;
  /** `pointer` is the current pointer position, if known, for gestures without a position: `click()`, a drag without a start. */
  decode(wire: Read, pointer?: Point): Action;
  /** All actions of one turn, in order: models sometimes write several. Never empty. */
  decodeAll(wire: Read, pointer?: Point): readonly Action[];
}

export class ActionFormatError extends Error {
  override readonly name = 'ActionFormatError';

  constructor(
    readonly format: string,
    /** The text or object that was being read, or the action that was being written. */
    readonly value: unknown,
    readonly reason: string,
  ) {
    super(`${format}: ${reason}; in ${preview(value)}`);
  }
}

/** For `decode`: the single action; throws an error with the count otherwise. */
export const theOnly = (actions: readonly Action[], format: string, value: unknown): Action => {
  const [action] = actions;
  if (action === undefined || actions.length > 1) {
    const kinds = actions.map(({ kind }) => kind).join(', ');
    throw new ActionFormatError(
      format,
      value,
      `has ${actions.length} actions (${kinds}), expected one: use decodeAll, with one step per action`,
    );
  }
  return action;
};

/** For `encode`: rejects actions with invalid pixels or notches. */
export const assertWhole = (action: Action, format: string): void => {
  const isPixel = (length: number) => Number.isSafeInteger(length) && length >= 0;
  const off = pointsOf(action).find(({ x, y }) => !isPixel(x) || !isPixel(y));
  if (off !== undefined) {
    throw new ActionFormatError(
      format,
      action,
      `(${off.x}, ${off.y}) is not a pixel: use whole numbers from 0`,
    );
  }
  if (action.kind === 'scroll' && !isNotches(action.notches)) {
    throw new ActionFormatError(
      format,
      action,
      `cannot scroll ${action.notches} notches: use a whole number from 1 to ${MAX_STORED_NOTCHES}`,
    );
  }
};

const isNotches = (notches: number): boolean =>
  Number.isSafeInteger(notches) && notches >= 1 && notches <= MAX_STORED_NOTCHES;

const preview = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : serialised(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

// A circular object or a bigint has no JSON, and an error message must not become an error of its own.
const serialised = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return `a value of type ${typeof value}`;
  }
};
