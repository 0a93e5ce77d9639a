// What modules tell about themselves while they work. Nobody may depend on it: events can be lost.

/** The four modules of the ring, and what evaluates beside them. */
export type Module = 'environments' | 'rollout' | 'data' | 'trainer' | 'evaluation';

interface Common {
  readonly module: Module;
  /** Milliseconds since 1970, by the clock that the run was given. */
  readonly at: number;
}

export type Event =
  /** A number under the name that the field uses, such as `actor/entropy`. */
  | (Common & { readonly kind: 'metric'; readonly name: string; readonly value: number })
  /** What a module waits for, and since when; no reason while it works. */
  | (Common & { readonly kind: 'waiting'; readonly reason: string | undefined; readonly since: number })
  /** Something broke, or works again. */
  | (Common & {
      readonly kind: 'health';
      readonly thing: string;
      readonly healthy: boolean;
      readonly message: string;
    });
