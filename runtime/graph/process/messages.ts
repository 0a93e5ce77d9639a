// What the two sides of an engine say to each other. Everything is plain data that structured clone carries as it is.

import type { Program } from '../program.ts';
import type { RuntimeKind } from '../runtime.ts';
import type { Tensors } from '../tensor.ts';

/** Every call with what it takes and what it gives. */
export interface Calls {
  readonly open: { readonly takes: { readonly program: Program }; readonly gives: number };
  readonly run: {
    readonly takes: { readonly session: number; readonly feeds: Tensors };
    readonly gives: Tensors;
  };
  readonly read: { readonly takes: { readonly session: number }; readonly gives: Tensors };
  readonly write: {
    readonly takes: { readonly session: number; readonly state: Tensors };
    readonly gives: undefined;
  };
  readonly close: { readonly takes: { readonly session: number }; readonly gives: undefined };
}

export type Call = keyof Calls;

export type Request = {
  readonly [C in Call]: { readonly id: number; readonly call: C; readonly takes: Calls[C]['takes'] };
}[Call];

export type Reply =
  | { readonly kind: 'ready'; readonly runtime: RuntimeKind; readonly version: string }
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'result'; readonly id: number; readonly gives: Calls[Call]['gives'] }
  | { readonly kind: 'error'; readonly id: number; readonly name: string; readonly message: string };
