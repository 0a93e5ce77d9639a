// What a process and its child say to each other: calls, each with what it takes and what it gives. Both sides come
// from one build and everything is plain data that structured clone carries as it is, so nothing is parsed here.

/** Every call of a child, by name. */
export type CallTable = Readonly<Record<string, { readonly takes: unknown; readonly gives: unknown }>>;

export type Handlers<T extends CallTable> = {
  readonly [C in keyof T]: (takes: T[C]['takes']) => Promise<T[C]['gives']>;
};

export interface Request {
  readonly id: number;
  readonly call: string;
  readonly takes: unknown;
}

export type Reply =
  /** The child can take calls; `about` is what it says of itself. */
  | { readonly kind: 'ready'; readonly about: unknown }
  | { readonly kind: 'unfit'; readonly message: string }
  | { readonly kind: 'result'; readonly id: number; readonly gives: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly name: string; readonly message: string };
