// The kind of each channel as a value, for code that creates channels at run time.

import type { Log, Register, Topic, WorkQueue } from './channels.ts';
import type { Fabric } from './fabric.ts';

export type Channel = WorkQueue<unknown> | Register<unknown> | Log<unknown> | Topic<unknown>;

type KindOf<C> =
  C extends WorkQueue<unknown>
    ? 'queue'
    : C extends Register<unknown>
      ? 'register'
      : C extends Log<unknown>
        ? 'log'
        : C extends Topic<unknown>
          ? 'topic'
          : never;

/** A table for a set of channels by name; one with a wrong kind or a name too few does not compile. */
export type Kinds<C> = { readonly [Name in keyof C]: KindOf<C[Name]> };

/** The channels of a fabric, without what is done to all of them. */
export type FabricChannels = Omit<Fabric, 'close'>;

export const KINDS: Kinds<FabricChannels> = {
  orders: 'queue',
  evaluations: 'queue',
  trajectories: 'queue',
  batches: 'queue',
  lessons: 'queue',
  recollections: 'queue',
  recalled: 'queue',
  needs: 'register',
  rates: 'register',
  weights: 'register',
  averaged: 'register',
  evaluated: 'register',
  commands: 'log',
  events: 'topic',
  watched: 'register',
  views: 'topic',
};
