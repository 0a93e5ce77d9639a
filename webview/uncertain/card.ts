// One card of the gallery: the screen, the uncertainty, and the instruction.

import type { StepDetail, UncertainStep } from '../../runtime/protocol/daemon/trajectories.ts';
import { drawAction } from '../inspector/step-marks.ts';
import { context2d, make, signWithText } from '../shared/dom.ts';
import type { FrameCache } from '../shared/frame-cache.ts';
import { ACTION_LABELS, formatNats, formatPercent, OUTCOME_LABELS, OUTCOME_SIGNS } from '../shared/labels.ts';
import { Pen } from '../shared/pen.ts';

const CANVAS_WIDTH_PX = 480;
/** The scale of lines, since the canvas is shown at about half its size. */
const LINE_SCALE = 2;

/** `maximum` is the uncertainty of a full bar. */
export function makeCard(step: UncertainStep, maximum: number, open: () => void): HTMLElement {
  const { outcome, uncertainty, probability, kind, instruction, estimator } = step;
  const canvas = make('canvas');
  Object.assign(canvas, { width: CANVAS_WIDTH_PX, height: (CANVAS_WIDTH_PX * 3) / 4 });
  canvas.setAttribute('aria-hidden', 'true');
  const fill = make('span', { class: 'fill' });
  fill.style.width = `${100 * Math.min(1, uncertainty / maximum)}%`;
  const made = make(
    'button',
    { class: 'card', title: 'Open the trajectory at this step' },
    canvas,
    make(
      'span',
      { class: 'top' },
      make('span', { class: 'hidden', text: 'Uncertainty ' }),
      make('strong', {
        text: estimator === undefined ? formatPercent(uncertainty) : formatNats(uncertainty),
      }),
      make('span', { class: 'meter' }, fill),
      make(
        'span',
        { class: `sign ${outcome}`, title: OUTCOME_LABELS[outcome] },
        ...signWithText(OUTCOME_SIGNS[outcome], `, ${OUTCOME_LABELS[outcome]}: `),
      ),
    ),
    make('span', {
      class: 'what',
      text: `${ACTION_LABELS[kind]} (${formatPercent(probability)}${estimator === undefined ? '' : ' per token'})`,
    }),
    make('span', { class: 'instruction', text: instruction }),
    make('span', { class: 'faint line', text: placeOf(step) }),
  );
  made.type = 'button';
  made.addEventListener('click', open);
  return made;
}

const placeOf = ({ task, step, version, agent }: UncertainStep): string =>
  [
    `${task} · step ${step + 1}`,
    // Servers have weights of their own, whose version is 0.
    ...(agent !== undefined && version === 0 ? [] : [`weights ${version}`]),
  ].join(' · ');

/** Draws the screen of a visible card, and then the action on it. */
export function drawCard(
  element: Element,
  { trajectory, step }: UncertainStep,
  frames: FrameCache,
  whole: Promise<StepDetail | undefined>,
): void {
  const canvas = element.querySelector('canvas');
  if (canvas === null) return;
  frames
    .get(trajectory, step, false)
    .then(async picture => {
      canvas.height = Math.round((CANVAS_WIDTH_PX * picture.height) / picture.width);
      const context = context2d(canvas);
      context.imageSmoothingQuality = 'high';
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const scale = canvas.width / picture.width;
      const middle = { x: picture.width / 2, y: picture.height / 2 };
      const done = await whole;
      if (done === undefined) return;
      drawAction(new Pen(context, scale, LINE_SCALE), withShortLabel(done), middle);
      canvas.dataset['marked'] = 'true';
    })
    // The card stays without a picture: the frame may be deleted.
    .catch(() => {
      canvas.dataset['missing'] = 'true';
    });
}

/** An action with a position needs no label; other labels are shortened. */
const withShortLabel = (done: StepDetail): StepDetail => {
  const hasPlace = 'at' in done.action || done.action.kind === 'drag';
  return { ...done, says: hasPlace ? '' : done.says.length > 34 ? `${done.says.slice(0, 33)}…` : done.says };
};
