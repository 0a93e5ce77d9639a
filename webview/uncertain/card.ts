// One uncertain step as the gallery shows it: the screen, how unsure the agent was, and what it was asked.

import type { StepDetail, UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import { drawAction } from '../inspector/screen.ts';
import { drawingOn, make, signed } from '../shared/dom.ts';
import type { Frames } from '../shared/frames.ts';
import { Pen } from '../shared/pen.ts';
import { OUTCOME_SIGNS, OUTCOME_WORDS, percent } from '../shared/words.ts';

const KINDS: Readonly<Record<UncertainStep['kind'], string>> = {
  click: 'Click',
  double_click: 'Double click',
  right_click: 'Right click',
  move: 'Point',
  drag: 'Drag',
  type: 'Type',
  hotkey: 'Press a key',
  scroll: 'Scroll',
  wait: 'Wait',
  finished: 'Say it is done',
  fail: 'Give up',
};

const WIDE = 480;
/** Of the pen, on a picture that is shown at about half its size. */
const LINES = 2;

export function card(step: UncertainStep, open: () => void): HTMLElement {
  const { outcome, uncertainty, probability, kind, instruction, task, version } = step;
  const canvas = make('canvas');
  Object.assign(canvas, { width: WIDE, height: (WIDE * 3) / 4 });
  canvas.setAttribute('aria-hidden', 'true');
  const fill = make('span', { class: 'fill' });
  fill.style.width = `${100 * Math.min(1, uncertainty)}%`;
  const made = make(
    'button',
    { class: 'card', title: 'Open the trajectory at this step' },
    canvas,
    make(
      'span',
      { class: 'top' },
      make('span', { class: 'hidden', text: 'Uncertainty ' }),
      make('strong', { text: percent(uncertainty) }),
      make('span', { class: 'meter' }, fill),
      make(
        'span',
        { class: `sign ${outcome}`, title: OUTCOME_WORDS[outcome] },
        ...signed(OUTCOME_SIGNS[outcome], `, ${OUTCOME_WORDS[outcome]}: `),
      ),
    ),
    make('span', { class: 'what', text: `${KINDS[kind]} (${percent(probability)})` }),
    make('span', { class: 'instruction', text: instruction }),
    make('span', { class: 'faint line', text: `${task} · step ${step.step + 1} · weights ${version}` }),
  );
  made.type = 'button';
  made.addEventListener('click', open);
  return made;
}

/** Once it is in sight: the screen, and on it what was done, as soon as that is known. */
export function drawCard(
  element: Element,
  { trajectory, step }: UncertainStep,
  frames: Frames,
  whole: Promise<StepDetail | undefined>,
): void {
  const canvas = element.querySelector('canvas');
  if (canvas === null) return;
  frames
    .get(trajectory, step, false)
    .then(async picture => {
      canvas.height = Math.round((WIDE * picture.height) / picture.width);
      const context = drawingOn(canvas);
      context.imageSmoothingQuality = 'high';
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const scale = canvas.width / picture.width;
      const middle = { x: picture.width / 2, y: picture.height / 2 };
      const done = await whole;
      if (done === undefined) return;
      drawAction(new Pen(context, scale, LINES), shortened(done), middle);
      canvas.dataset['marked'] = 'true';
    })
    .catch(() => {
      canvas.dataset['missing'] = 'true';
    });
}

/** What has a place is told by its place; the rest by words, as many as there is room for. */
const shortened = (done: StepDetail): StepDetail => {
  const hasPlace = 'at' in done.action || done.action.kind === 'drag';
  return { ...done, says: hasPlace ? '' : done.says.length > 34 ? `${done.says.slice(0, 33)}…` : done.says };
};
