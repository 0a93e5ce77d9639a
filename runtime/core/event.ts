// Events that modules publish about themselves. They can be lost, so no decision may depend on them.

/** The four modules of the ring, and the evaluation beside them. */
export type Module = 'environments' | 'rollout' | 'data' | 'trainer' | 'evaluation';

interface Common {
  readonly module: Module;
  /** Milliseconds since 1970, by the clock of the run. */
  readonly at: number;
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
    });
