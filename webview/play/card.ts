// The card beside the desktop: free play, a task, its verdict, or a scripted solution that plays.

import type { Judgement, StartedTask } from '../../runtime/protocol/play.ts';
import { findElement, make } from '../shared/dom.ts';
import { appsLabel, splitName } from './labels.ts';

export type PlayStage =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'free' }
  | { readonly kind: 'task'; readonly task: StartedTask; readonly steps: number }
  | {
      readonly kind: 'judged';
      readonly task: StartedTask;
      readonly judgement: Judgement;
      readonly isScripted: boolean;
    }
  | { readonly kind: 'watching'; readonly task: StartedTask; readonly at: number; readonly of: number }
  | { readonly kind: 'stopped'; readonly task: StartedTask };

const about = findElement('about', HTMLParagraphElement);
const instruction = findElement('instruction', HTMLHeadingElement);
const note = findElement('note', HTMLParagraphElement);
const meter = findElement('meter', HTMLDivElement);
const steps = findElement('steps', HTMLSpanElement);
const progress = findElement('progress', HTMLProgressElement);
const verdict = findElement('verdict', HTMLDivElement);
const scrollArea = findElement('words', HTMLDivElement);
const rows = {
  judge: findElement('judge', HTMLDivElement),
  welcome: findElement('welcome', HTMLDivElement),
  again: findElement('again', HTMLDivElement),
  solution: findElement('solution', HTMLDivElement),
};
const watch = findElement('watch', HTMLButtonElement);

export function showCard(stage: PlayStage): void {
  const task = 'task' in stage ? stage.task : undefined;
  about.textContent = task === undefined ? 'Free play' : aboutTask(task);
  instruction.textContent = task?.instruction ?? 'A desktop without a task';
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
  } else showVerdict(stage.task, stage.judgement, stage.isScripted);
}

const aboutTask = ({ apps, tier, split, seed }: StartedTask): string =>
  [appsLabel(apps), `tier ${tier}`, splitName(split), `instance ${seed}`].join(' · ');

function showNote(stage: PlayStage): void {
  const text = {
    waiting: '',
    free: 'Agents learn to use this desktop. Open Apps in the corner, or pick a task below.',
    task: '',
    judged: '',
    watching: 'The scripted solution. Each action is marked on the screen before it is executed.',
    stopped: 'The solution is stopped. Start again to try it yourself.',
  }[stage.kind];
  note.textContent = text;
  note.hidden = text === '';
}

function showMeter(stage: PlayStage): void {
  meter.hidden = !('task' in stage) || stage.kind === 'stopped';
  if (stage.kind === 'watching') setMeter(stage.at, stage.of, `Step ${stage.at} of ${stage.of}`);
  else if (stage.kind === 'task' || stage.kind === 'judged') {
    const used = stage.kind === 'task' ? stage.steps : stage.judgement.steps;
    const { maxSteps } = stage.task;
    const over = used > maxSteps ? ' (over the limit for agents)' : '';
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
  isScripted: boolean,
): void {
  const over = used > task.maxSteps;
  const title = success ? (over ? 'Solved, in too many steps' : 'Solved') : 'Not solved';
  const endedBy = isScripted
    ? 'The scripted solution.'
    : ending === 'fail'
      ? 'You declared it infeasible.'
      : 'You declared it done.';
  verdict.hidden = false;
  scrollArea.scrollTop = 0;
  verdict.dataset['success'] = String(success);
  verdict.replaceChildren(
    make('h3', { text: title }),
    make('p', { class: 'faint', text: endedBy }),
    make(
      'ul',
      {},
      ...checks.map(({ met, says }) =>
        make(
          'li',
          { class: met ? 'met' : 'unmet' },
          make('span', { class: 'hidden', text: met ? 'Met: ' : 'Not met: ' }),
          make('span', { text: says }),
        ),
      ),
    ),
  );
}
