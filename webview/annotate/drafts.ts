// What was typed of trajectories and not said yet: it stays with each of them over a lost connection, and over a reload.

import * as z from 'zod';
import type { Host } from '../shared/host.ts';

export type Text = 'instruction' | 'note';

const drafts = z
  .record(z.string(), z.object({ instruction: z.string().optional(), note: z.string().optional() }))
  .catch({});

const KEPT = 'annotate-drafts';

export class Drafts {
  readonly #kept: Pick<Host, 'read' | 'keep'>;
  #all: z.infer<typeof drafts>;

  constructor(kept: Pick<Host, 'read' | 'keep'>) {
    this.#kept = kept;
    this.#all = drafts.parse(kept.read(KEPT));
  }

  of(trajectory: string, what: Text): string | undefined {
    return this.#all[trajectory]?.[what];
  }

  /** Undefined once there is nothing to say. */
  keep(trajectory: string, what: Text, text: string | undefined): void {
    if (this.of(trajectory, what) === text) return;
    const { [trajectory]: before, ...others } = this.#all;
    const one = Object.entries({ ...before, [what]: text }).filter(([, each]) => each !== undefined);
    this.#all = one.length === 0 ? others : { ...others, [trajectory]: Object.fromEntries(one) };
    this.#kept.keep(KEPT, this.#all);
  }
}
