// What two processes say to each other about channels that one of them holds. Both sides come from one build and everything is
// plain data that structured clone carries as it is, so nothing is parsed here.

import type { Depth } from '../channels.ts';

interface Call<Takes, Gives> {
  readonly takes: Readonly<Takes>;
  readonly gives: Gives;
}

/**
 * What is asked of a channel whose values are T, or of what was opened on it. Takers, takes and streams are known by numbers that
 * who asks has given them.
 */
export interface Calls<T> {
  readonly put: Call<{ item: T }, void>;
  readonly depth: Call<object, Depth>;
  readonly taker: Call<{ taker: number }, void>;
  readonly take: Call<{ taker: number; take: number }, Handed<T>>;
  readonly tryTake: Call<{ taker: number; take: number }, Handed<T> | undefined>;
  readonly acknowledge: Call<{ taker: number; take: number }, void>;
  /** Of what was taken; and a take that is still under way is given up, whatever it has come to meanwhile. */
  readonly giveBack: Call<{ taker: number; take: number }, void>;
  readonly close: Call<{ taker: number }, void>;

  readonly set: Call<{ value: T }, void>;
  readonly get: Call<object, T | undefined>;
  readonly append: Call<{ entry: T }, number>;
  readonly publish: Call<{ event: T }, void>;

  readonly watch: Call<{ stream: number }, void>;
  readonly read: Call<{ stream: number; from: number }, void>;
  readonly listen: Call<{ stream: number; most: number | undefined }, void>;
  /** Values of a stream are fetched one by one: what a slow reader misses is the channel's to say. */
  readonly next: Call<{ stream: number }, Next<T>>;
  readonly stop: Call<{ stream: number }, void>;
}

export type CallName = keyof Calls<unknown>;

export interface Handed<T> {
  readonly take: number;
  readonly item: T;
  readonly attempt: number;
}

export type Next<T> = { readonly done: true } | { readonly done: false; readonly value: T };

/** `ask` is answered once; `tell` is not answered. */
export type Request<C extends CallName = CallName> = {
  readonly [Name in C]: {
    readonly kind: 'ask' | 'tell';
    readonly id: number;
    readonly channel: string;
    readonly call: Name;
    readonly takes: Calls<unknown>[Name]['takes'];
  };
}[C];

/** `leave` gives back all that this side holds and ends all that it reads. It is the last that this side says. */
export type ToServer = Request | { readonly kind: 'leave' };

export type ToClient =
  | { readonly kind: 'gives'; readonly id: number; readonly gives: unknown }
  | { readonly kind: 'fails'; readonly id: number; readonly name: string; readonly message: string }
  /** Everything before it is answered. */
  | { readonly kind: 'left' };
