// Text that the user typed and the page has not sent yet. Drafts survive a lost connection and a reload.

import * as z from 'zod';
import type { PageHost } from '../shared/host.ts';

export type DraftField = 'instruction' | 'note';

const drafts = z
  .record(z.string(), z.object({ instruction: z.string().optional(), note: z.string().optional() }))
  .catch({});

const STORAGE_KEY = 'annotate-drafts';

export class Drafts {
  readonly #storage: Pick<PageHost, 'read' | 'keep'>;
  #all: z.infer<typeof drafts>;

  constructor(storage: Pick<PageHost, 'read' | 'keep'>) {
    this.#storage = storage;
    this.#all = drafts.parse(storage.read(STORAGE_KEY));
  }

  get(trajectory: string, what: DraftField): string | undefined {
    return this.#all[trajectory]?.[what];
  }

  /** Undefined removes the draft. */
  set(trajectory: string, what: DraftField, text: string | undefined): void {
    if (this.get(trajectory, what) === text) return;
    const { [trajectory]: before, ...others } = this.#all;
    const one = Object.entries({ ...before, [what]: text }).filter(([, each]) => each !== undefined);
    this.#all = one.length === 0 ? others : { ...others, [trajectory]: Object.fromEntries(one) };
    this.#storage.keep(STORAGE_KEY, this.#all);
  }
}
