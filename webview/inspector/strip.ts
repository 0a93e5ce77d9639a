// The film strip: a thumbnail of every frame, and above it the uncertainty of the step with the training threshold.

import type { StepDetail, TrajectoryDetail } from '../../runtime/protocol/daemon/trajectories.ts';
import { context2d, make } from '../shared/dom.ts';
import type { FrameCache } from '../shared/frame-cache.ts';
import { formatNats, formatPercent } from '../shared/labels.ts';
import { Pen } from '../shared/pen.ts';
import { isFromModel } from './reply/turn.ts';
import { thresholdOf, uncertaintyOf, uncertaintyScale } from './state.ts';
import { drawAction } from './step-marks.ts';

interface BarMarks {
  readonly threshold: number | undefined;
  /** See `uncertaintyScale`. */
  readonly scale: number;
}

const THUMBNAIL_WIDTH_PX = 104;
const THUMBNAIL_HEIGHT_PX = 78;

export class Strip {
  readonly element = make('div', { class: 'strip' });
  readonly #frames: FrameCache;
  readonly #go: (at: number) => void;
  readonly #observer: IntersectionObserver;
  readonly #loaders = new WeakMap<Element, () => void>();
  #trajectory: TrajectoryDetail | undefined;
  #items: readonly HTMLElement[] = [];
  /** Withdraws the requests for the thumbnails of this trajectory. */
  #filling = new AbortController();
  #at = -1;

  constructor(frames: FrameCache, go: (at: number) => void) {
    this.#frames = frames;
    this.#go = go;
    this.element.setAttribute('role', 'listbox');
    this.element.setAttribute('aria-orientation', 'horizontal');
    this.element.setAttribute('aria-label', 'Steps');
    this.element.tabIndex = 0;
    // Only visible thumbnails are fetched.
    this.#observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) this.#loaders.get(target)?.();
      },
      { root: this.element, rootMargin: '0px 200px' },
    );
  }

  show(trajectory: TrajectoryDetail, at: number): void {
    if (trajectory.trajectory !== this.#trajectory?.trajectory) this.#fill(trajectory);
    if (trajectory !== this.#trajectory) this.#mark(trajectory);
    this.#trajectory = trajectory;
    if (at === this.#at) return;
    this.#at = at;
    for (const [index, item] of this.#items.entries())
      item.setAttribute('aria-selected', String(index === at));
    const current = this.#items[at];
    if (current === undefined) return;
    this.element.setAttribute('aria-activedescendant', current.id);
    const { scrollLeft, clientWidth } = this.element;
    const middle = current.offsetLeft + current.offsetWidth / 2 - clientWidth / 2;
    if (
      current.offsetLeft < scrollLeft ||
      current.offsetLeft + current.offsetWidth > scrollLeft + clientWidth
    )
      this.element.scrollLeft = middle;
  }

  /** Fetches the missing thumbnails again, once they are visible. */
  retry(): void {
    for (const item of this.#items) {
      const canvas = item.querySelector('canvas[data-missing]');
      if (canvas === null) continue;
      canvas.removeAttribute('data-missing');
      this.#observer.observe(item);
    }
  }

  /** Also withdraws the requests for thumbnails that wait. */
  clear(): void {
    this.#observer.disconnect();
    this.#filling.abort();
    this.#trajectory = undefined;
    this.#items = [];
    this.element.replaceChildren();
  }

  #fill(trajectory: TrajectoryDetail): void {
    this.#observer.disconnect();
    this.#filling.abort();
    this.#filling = new AbortController();
    this.#at = -1;
    this.#items = Array.from({ length: trajectory.frames.count }, (_, at) => this.#item(trajectory, at));
    this.element.replaceChildren(...this.#items);
    for (const item of this.#items) this.#observer.observe(item);
  }

  #item(trajectory: TrajectoryDetail, at: number): HTMLElement {
    const step = trajectory.each[at];
    const canvas = make('canvas');
    Object.assign(canvas, { width: 2 * THUMBNAIL_WIDTH_PX, height: 2 * THUMBNAIL_HEIGHT_PX });
    const item = make(
      'div',
      { class: 'shot', title: step === undefined ? 'After the last step' : step.says },
      make('span', { class: 'certainty' }),
      canvas,
      make('span', { class: 'number', text: step === undefined ? 'End' : String(at + 1) }),
    );
    item.id = `shot-${trajectory.trajectory}-${at}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-posinset', String(at + 1));
    item.setAttribute('aria-setsize', String(trajectory.frames.count));
    if (step?.chosen?.continues === true) item.dataset['continues'] = 'true';
    if (step?.chosen?.reply?.malformed !== undefined) item.dataset['malformed'] = 'true';
    item.addEventListener('click', () => this.#go(at));
    this.#loaders.set(item, () => {
      this.#observer.unobserve(item);
      this.#draw(canvas, trajectory, at);
    });
    return item;
  }

  /** What changes when a trajectory has been trained or annotated: the bars, key steps, and steps that the trim cuts off. */
  #mark(trajectory: TrajectoryDetail): void {
    const { keySteps, trim } = trajectory.marked;
    const bars = { threshold: thresholdOf(trajectory), scale: uncertaintyScale(trajectory) };
    for (const [at, item] of this.#items.entries()) {
      const step = trajectory.each[at];
      item.querySelector('.certainty')?.replaceWith(certaintyBar(step, bars));
      item.setAttribute('aria-label', step === undefined ? 'The end' : stepLabel(step, at));
      item.dataset['key'] = String(keySteps.includes(at));
      item.dataset['cut'] = String(trim !== undefined && (at < trim.from || at >= trim.to));
    }
  }

  #draw(canvas: HTMLCanvasElement, trajectory: TrajectoryDetail, at: number): void {
    this.#frames.get(trajectory.trajectory, at, false, this.#filling.signal).then(
      picture => {
        const { width, height } = picture;
        Object.assign(canvas, { height: Math.round((2 * THUMBNAIL_WIDTH_PX * height) / width) });
        const context = context2d(canvas);
        context.imageSmoothingQuality = 'high';
        context.drawImage(picture, 0, 0, canvas.width, canvas.height);
        const step = trajectory.each[at];
        // A label would cover the thumbnail, so only positions are drawn.
        if (step !== undefined && ('at' in step.action || step.action.kind === 'drag'))
          drawAction(new Pen(context, canvas.width / width, 1.4), { ...step, says: '' }, { x: 0, y: 0 });
      },
      () => {
        canvas.dataset['missing'] = 'true';
      },
    );
  }
}

function certaintyBar(step: StepDetail | undefined, { threshold, scale }: BarMarks): HTMLElement {
  const bar = make('span', { class: 'certainty' });
  if (step === undefined) return bar;
  const share = uncertaintyOf(step);
  if (share !== undefined) {
    const fill = make('span', { class: 'fill' });
    fill.style.height = `${100 * Math.min(1, share / scale)}%`;
    bar.append(fill);
    bar.dataset['trains'] = String(step.training?.kept ?? (threshold === undefined || share >= threshold));
  }
  if (threshold !== undefined) {
    const line = make('span', { class: 'threshold' });
    line.style.bottom = `${100 * Math.min(1, threshold / scale)}%`;
    bar.append(line);
  }
  return bar;
}

function stepLabel(step: StepDetail, at: number): string {
  const uncertainty = uncertaintyOf(step);
  const format = isFromModel(step) ? formatNats : formatPercent;
  return [
    `Step ${at + 1}: ${step.says}`,
    ...(step.chosen?.continues === true ? ['of the same reply as the step before'] : []),
    ...(uncertainty === undefined ? [] : [`uncertainty ${format(uncertainty)}`]),
    ...(step.training === undefined ? [] : [step.training.kept ? 'trained' : 'not trained']),
  ].join(', ');
}
