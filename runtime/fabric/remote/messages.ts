// The calls between two processes about channels that one of them has.

import type { Depth } from '../channels.ts';

interface Call<Takes, Gives> {
  readonly takes: Readonly<Takes & { readonly channel: string }>;
  readonly gives: Gives;
}

/** For a channel of values T. The client numbers its takers, takes and streams. */
export type ChannelCalls<T> = {
  readonly put: Call<{ item: T }, void>;
  readonly depth: Call<object, Depth>;
  readonly taker: Call<{ taker: number }, void>;
  readonly take: Call<{ taker: number; take: number }, RemoteTaken<T>>;
  readonly tryTake: Call<{ taker: number; take: number }, RemoteTaken<T> | undefined>;
  readonly acknowledge: Call<{ taker: number; take: number }, void>;
  /** Also abandons a take that is still pending, whatever its result is meanwhile. */
  readonly giveBack: Call<{ taker: number; take: number; how: 'untouched' | undefined }, void>;
  readonly closeTaker: Call<{ taker: number }, void>;

  readonly set: Call<{ value: T }, void>;
  readonly get: Call<object, T | undefined>;
  readonly append: Call<{ entry: T }, number>;
  readonly publish: Call<{ event: T }, void>;

  readonly watch: Call<{ stream: number }, void>;
  readonly read: Call<{ stream: number; from: number }, void>;
  readonly listen: Call<{ stream: number; maxUnread: number | undefined }, void>;
  /** The client fetches values one by one: the channel decides what a slow reader misses. */
  readonly next: Call<{ stream: number }, NextValue<T>>;
  readonly stop: Call<{ stream: number }, void>;
};

export type FabricCalls<T = unknown> = ChannelCalls<T> & {
  /** Gives back everything that this client holds and ends everything that it reads. Its last call. */
  readonly leave: { readonly takes: undefined; readonly gives: undefined };
};

export interface RemoteTaken<T> {
  readonly take: number;
  readonly item: T;
  readonly attempt: number;
  readonly untouched: number;
}

export type NextValue<T> = { readonly done: true } | { readonly done: false; readonly value: T };
