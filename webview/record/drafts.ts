// Choices in the panel Record that the page has not sent yet. They survive a reload, and a hidden tab, whose page an editor closes.

import * as z from 'zod';
import { DESKTOP_KINDS } from '../../runtime/protocol/desktop-kinds.ts';
import type { PageHost } from '../shared/host.ts';

const choice = z.object({
  kind: z.enum(DESKTOP_KINDS).optional().catch(undefined),
  agent: z.string().catch(''),
  /** The instruction of the person. */
  own: z.string().catch(''),
  /** The search for tasks. */
  query: z.string().catch(''),
});
export type RecordChoice = Readonly<z.infer<typeof choice>>;

const NO_CHOICE: RecordChoice = { agent: '', own: '', query: '' };
const dropped = z.object({ recording: z.string(), steps: z.array(z.int().min(0)) });

const CHOICE_KEY = 'record-choice';
const DROPPED_KEY = 'record-dropped';

export class RecordDrafts {
  readonly #storage: Pick<PageHost, 'read' | 'keep'>;

  constructor(storage: Pick<PageHost, 'read' | 'keep'>) {
    this.#storage = storage;
  }

  get choice(): RecordChoice {
    return choice.catch(NO_CHOICE).parse(this.#storage.read(CHOICE_KEY));
  }

  choose(changed: Partial<RecordChoice>): void {
    this.#storage.keep(CHOICE_KEY, { ...this.choice, ...changed });
  }

  /** The numbers of the steps that the person dropped from the recording. */
  droppedFrom(recording: string): readonly number[] {
    const { data } = dropped.safeParse(this.#storage.read(DROPPED_KEY));
    return data?.recording === recording ? data.steps : [];
  }

  drop(recording: string, steps: readonly number[]): void {
    this.#storage.keep(DROPPED_KEY, { recording, steps });
  }
}
