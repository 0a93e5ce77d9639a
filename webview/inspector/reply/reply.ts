// A step that a language model chose: its action, the thought, the tokens of the reply, its numbers, and the server that answered.

import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';
import { button } from '../../shared/controls.ts';
import { make } from '../../shared/dom.ts';
import { plural } from '../../shared/labels.ts';
import { ESTIMATOR_LINES, type ReplyFact, replyFacts, servedFacts } from './labels.ts';
import { noticesOf } from './notices.ts';
import { surpriseLegend, TokenList } from './token-list.ts';
import { hasProbabilities } from './tokens.ts';
import type { ReplyTurn } from './turn.ts';

/** A longer thought is cut to a few lines until the user opens it. */
const LONG_THOUGHT = 420;

export class ReplyView {
  readonly element = make('div', { class: 'decisions reply' });
  readonly #tokens = new TokenList();
  readonly #go: (at: number) => void;

  /** `go` selects another step of the turn. */
  constructor(go: (at: number) => void) {
    this.#go = go;
  }

  /** `mayTrain` is false if the trajectory never trains. */
  show(turn: ReplyTurn, at: number, mayTrain: boolean): void {
    const { reply, steps, first } = turn;
    const step = steps[at - first];
    const beginning = steps[0];
    if (step === undefined || beginning === undefined) return;
    const { chosen } = beginning;
    this.element.replaceChildren(
      make('h3', { text: step.says }),
      ...(steps.length > 1 ? [this.#actions(turn, at)] : []),
      ...noticesOf(reply),
      ...(reply.thought === undefined || reply.thought === '' ? [] : [thoughtSection(reply.thought)]),
      this.#replySection(reply),
      factList('facts', replyFacts(beginning, reply, mayTrain)),
      ...(hasProbabilities(reply)
        ? [make('p', { class: 'faint', text: `Entropy: ${ESTIMATOR_LINES[reply.estimator]}` })]
        : []),
      make(
        'section',
        {},
        make('h4', { text: 'Answered by' }),
        factList('served', servedFacts(reply, chosen?.version ?? 0)),
      ),
    );
  }

  #actions({ first, steps }: ReplyTurn, at: number): HTMLElement {
    const list = make('ol', { class: 'turn' });
    for (const [index, { says }] of steps.entries()) {
      const made = make('button', { class: 'quiet', text: says, title: `Step ${first + index + 1}` });
      made.type = 'button';
      if (first + index === at) made.setAttribute('aria-current', 'step');
      made.addEventListener('click', () => this.#go(first + index));
      list.append(make('li', {}, made));
    }
    const text = `One reply with ${plural(steps.length, 'action')}. This is action ${at - first + 1}.`;
    return make('section', {}, make('p', { class: 'faint', text }), list);
  }

  #replySection(reply: ReplyDetail): HTMLElement {
    const isColoured = hasProbabilities(reply);
    const title = make(
      'h4',
      { text: 'Reply' },
      make('span', { class: 'faint', text: isColoured ? ' coloured by surprise (−log p)' : '' }),
    );
    if (!isColoured)
      return make(
        'section',
        {},
        title,
        make('pre', { class: 'raw', text: reply.raw }),
        make('p', {
          class: 'faint',
          text: 'The server reports no log-probabilities, so the tokens have no colours, no alternatives and no entropy.',
        }),
      );
    this.#tokens.show(reply);
    return make('section', {}, title, surpriseLegend(), this.#tokens.element);
  }
}

function thoughtSection(thought: string): HTMLElement {
  const text = make('p', { class: 'thought', text: thought });
  const section = make('section', {}, make('h4', { text: 'Thought' }), text);
  if (thought.length <= LONG_THOUGHT) return section;
  const show = (isCut: boolean) => {
    text.dataset['cut'] = String(isCut);
    more.setText(isCut ? 'Show the whole thought' : 'Show less');
  };
  const more = button({ text: 'Show the whole thought' }, () => show(text.dataset['cut'] !== 'true'));
  show(true);
  section.append(more.element);
  return section;
}

function factList(kind: 'facts' | 'served', facts: readonly ReplyFact[]): HTMLElement {
  const list = make('dl', { class: kind });
  for (const { name, value, meaning } of facts)
    list.append(make('div', { title: meaning }, make('dt', { text: name }), make('dd', { text: value })));
  return list;
}
