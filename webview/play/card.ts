// The card of what is going on: free play, a task, its verdict, or a solution that is being shown.

import type { Judgement, StartedTask } from '../../runtime/protocol/play.ts';
import { make, need } from '../shared/dom.ts';
import { appsInWords, splitInWords } from './words.ts';

export type Stage =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'free' }
  | { readonly kind: 'task'; readonly task: StartedTask; readonly steps: number }
  | {
      readonly kind: 'judged';
      readonly task: StartedTask;
      readonly judgement: Judgement;
      readonly shown: boolean;
    }
  | { readonly kind: 'watching'; readonly task: StartedTask; readonly at: number; readonly of: number }
  | { readonly kind: 'stopped'; readonly task: StartedTask };

const about = need('about', HTMLParagraphElement);
const instruction = need('instruction', HTMLHeadingElement);
const note = need('note', HTMLParagraphElement);
const meter = need('meter', HTMLDivElement);
const steps = need('steps', HTMLSpanElement);
const progress = need('progress', HTMLProgressElement);
const verdict = need('verdict', HTMLDivElement);
const words = need('words', HTMLDivElement);
const rows = {
  judge: need('judge', HTMLDivElement),
  welcome: need('welcome', HTMLDivElement),
  again: need('again', HTMLDivElement),
  solution: need('solution', HTMLDivElement),
};
const watch = need('watch', HTMLButtonElement);

export function showCard(stage: Stage): void {
  const task = 'task' in stage ? stage.task : undefined;
  about.textContent = task === undefined ? 'Free play' : aboutTask(task);
  instruction.textContent = task?.instruction ?? 'A desktop to look around in';
  showNote(stage);
  showMeter(stage);
  rows.judge.hidden = stage.kind !== 'task';
  rows.welcome.hidden = stage.kind !== 'free';
  rows.again.hidden = task === undefined || stage.kind === 'watching';
  rows.solution.hidden = task === undefined;
  watch.textContent = stage.kind === 'watching' ? 'Stop' : 'Watch the solution';
  if (stage.kind !== 'judged') {
    verdict.hidden = true;
    verdict.replaceChildren();
  } else showVerdict(stage.task, stage.judgement, stage.shown);
}

const aboutTask = ({ apps, tier, split, seed }: StartedTask): string =>
  [appsInWords(apps), `tier ${tier}`, splitInWords(split), `instance ${seed}`].join(' · ');

function showNote(stage: Stage): void {
  const text = {
    waiting: '',
    free: 'This is what agents learn to use. Everything in it works: begin with Apps in the corner, or pick a task below.',
    task: '',
    judged: '',
    watching: 'The scripted solution. Each action is marked on the screen just before it is done.',
    stopped: 'The solution was stopped. Start again to try it yourself.',
  }[stage.kind];
  note.textContent = text;
  note.hidden = text === '';
}

function showMeter(stage: Stage): void {
  meter.hidden = !('task' in stage) || stage.kind === 'stopped';
  if (stage.kind === 'watching') setMeter(stage.at, stage.of, `Step ${stage.at} of ${stage.of}`);
  else if (stage.kind === 'task' || stage.kind === 'judged') {
    const used = stage.kind === 'task' ? stage.steps : stage.judgement.steps;
    const { maxSteps } = stage.task;
    const over = used > maxSteps ? ': an agent would have been stopped' : '';
    setMeter(used, maxSteps, `${used} of ${maxSteps} steps used${over}`);
  }
}

function setMeter(value: number, max: number, text: string): void {
  steps.textContent = text;
  progress.max = Math.max(1, max);
  progress.value = Math.min(value, max);
  meter.classList.toggle('over', value > max);
}

function showVerdict(
  task: StartedTask,
  { success, checks, ending, steps: used }: Judgement,
  shown: boolean,
): void {
  const over = used > task.maxSteps;
  const title = success ? (over ? 'Solved, in too many steps' : 'Solved') : 'Not solved';
  const said = shown
    ? 'The scripted solution.'
    : ending === 'fail'
      ? 'You said that it cannot be done.'
      : 'You said that you are done.';
  verdict.hidden = false;
  words.scrollTop = 0;
  verdict.dataset['success'] = String(success);
  verdict.replaceChildren(
    make('h3', { text: title }),
    make('p', { class: 'faint', text: said }),
    make(
      'ul',
      {},
      ...checks.map(({ met, says }) =>
        make(
          'li',
          { class: met ? 'met' : 'unmet' },
          make('span', { class: 'hidden', text: met ? 'Holds: ' : 'Does not hold: ' }),
          make('span', { text: says }),
        ),
      ),
    ),
  );
}
