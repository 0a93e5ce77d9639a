// The bar above a note in which text is found and replaced.

import { column, growing, row, sized } from '../../toolkit/boxes.ts';
import { button, label } from '../../toolkit/controls.ts';
import { textField } from '../../toolkit/field.ts';
import { type Editing, editing, selectAll, selectedText } from '../../toolkit/text-edit.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { Draft } from './draft.ts';
import { next, replace, replaceAll, tally } from './finding.ts';

export const FIND = 'Find';
const LABEL_WIDTH = 40;

export class FindBar {
  readonly #say: (text: string) => void;
  #open: 'find' | 'replace' | undefined;
  #wanted: Editing = editing('');
  #by: Editing = editing('');

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** What is selected in one line is most likely what is looked for. */
  open(what: 'find' | 'replace', draft: Draft): void {
    this.#open = what;
    const selected = selectedText(draft.state);
    const text = selected === '' || selected.includes('\n') ? this.#wanted.text : selected;
    this.#wanted = selectAll(editing(text));
  }

  close(): void {
    this.#open = undefined;
  }

  next(draft: Draft): void {
    this.#take(draft, next(draft.state, this.#wanted.text));
  }

  view(draft: Draft): Widget {
    const find = textField(FIND, this.#wanted, {
      change: state => {
        this.#wanted = state;
      },
      enter: () => this.next(draft),
    });
    const first = row(
      [
        sized(label('Find'), { width: LABEL_WIDTH }),
        growing(find),
        sized(label(tally(draft.state, this.#wanted.text), { faint: true }), { width: 42 }),
        button('Next', { press: () => this.next(draft) }),
        button('Done', { press: () => this.close() }),
      ],
      { align: 'centre' },
    );
    return column(this.#open === 'replace' ? [first, this.#replacing(draft)] : [first], { gap: 2 });
  }

  #replacing(draft: Draft): Widget {
    const once = () => this.#take(draft, replace(draft.state, this.#wanted.text, this.#by.text));
    const by = textField('Replace with', this.#by, {
      change: state => {
        this.#by = state;
      },
      enter: once,
    });
    return row(
      [
        sized(label('Replace'), { width: LABEL_WIDTH }),
        growing(by),
        button('Replace', { press: once }),
        button('Replace all', { press: () => this.#replaceAll(draft) }),
      ],
      { align: 'centre' },
    );
  }

  #take(draft: Draft, state: Editing | undefined): void {
    if (state === undefined) this.#say(`'${this.#wanted.text}' is not in this note`);
    else draft.change(state);
  }

  #replaceAll(draft: Draft): void {
    const [wanted, by] = [this.#wanted.text, this.#by.text];
    if (next(draft.state, wanted) === undefined) this.#say(`'${wanted}' is not in this note`);
    else {
      draft.change(replaceAll(draft.state, wanted, by));
      this.#say('Replaced everywhere');
    }
  }
}
