// Events that modules publish about themselves. They can be lost, so no decision may depend on them.

/** The four modules of the ring, and the evaluation beside them. */
export type Module = 'environments' | 'rollout' | 'data' | 'trainer' | 'evaluation';

interface Common {
  readonly module: Module;
  /** Milliseconds since 1970, by the clock of its sender. */
  readonly at: number;
  /** The joined host that sent it; absent on the machine of the daemon. */
  readonly host?: string;
}

export type Event =
  /** `name` is the usual one in the field, such as `actor/entropy`. */
  | (Common & { readonly kind: 'metric'; readonly name: string; readonly value: number })
  /** The reason why a module waits, and since when; undefined while it works. */
  | (Common & { readonly kind: 'waiting'; readonly reason: string | undefined; readonly since: number })
  /** A part failed, or works again. */
  | (Common & {
      readonly kind: 'health';
      readonly thing: string;
      readonly healthy: boolean;
      readonly message: string;
    })
  /** All servers of a model agent, about once a second. */
  | (Common & { readonly kind: 'servers' } & ServersReport)
  /** The learner of a model agent, about once a second. */
  | (Common & { readonly kind: 'learner' } & LearnerReport)
  /** A host of a run over several machines, about every two seconds. */
  | (Common & { readonly kind: 'host' } & HostReport);

export interface HostReport {
  /** A draining host takes no new order. One that has left plays nothing more. */
  readonly phase: 'playing' | 'draining' | 'left';
  /** Its training desktops, and how many of them have a live episode. */
  readonly desktops: number;
  readonly playing: number;
  /** Its policy workers. */
  readonly workers: number;
  /** Of Dartboard. */
  readonly version: string;
  /** The time of a round trip to the broker; absent on the machine of the daemon, and until it is measured. */
  readonly latencyMs?: number;
}

/** Sums count since this process opened its servers or its learner; a process that replaces it begins at zero. */
interface SinceOpened {
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface ServersReport extends SinceOpened {
  readonly servers: readonly ServerReport[];
  readonly spent: {
    readonly promptTokens: number;
    readonly completionTokens: number;
    /** Absent without prices. */
    readonly money?: number;
  };
}

export interface ServerReport {
  readonly name: string;
  readonly phase: 'serving' | 'draining' | 'updating' | 'failed' | 'out';
  /** The optimiser steps of its weights, if they are known. */
  readonly version?: number;
  /** The name of its model in new requests. */
  readonly model?: string;
  readonly inFlight: number;
  readonly replies: number;
  /** The mean over its replies; absent before the first. */
  readonly latencyMs?: number;
}

export interface LearnerReport extends SinceOpened {
  readonly learner: {
    readonly kind: 'in-process' | 'tinker' | 'file';
    /** Where the weights are: a URL, a folder or a file. */
    readonly place: string;
    readonly model: string;
    /** Optimiser steps of its weights so far. */
    readonly step: number;
    /** Of the last optimiser step of this process; absent before the first. */
    readonly stepSeconds?: number;
  };
  /** The end of that step. */
  readonly steppedAt?: number;
  /** Absent for learners that do not report the time of their hardware. */
  readonly hardwareSeconds?: number;
  /** Absent without a price of training. */
  readonly money?: number;
}
