// Oracle scripts of the pages with shapes, colours and grids. They read colours from the pixels.

import type { Action } from '../../../../core/action.ts';
import { centre, type Element } from '../../../../core/screen.ts';
import { click, clickAt, distance, fill, type OracleView, type PixelColour, type Script } from './view.ts';

const COLOURS: Readonly<Record<string, PixelColour>> = {
  aqua: [0, 255, 255],
  black: [0, 0, 0],
  blue: [0, 0, 255],
  cyan: [0, 255, 255],
  green: [0, 128, 0],
  grey: [128, 128, 128],
  lime: [0, 255, 0],
  magenta: [255, 0, 255],
  olive: [128, 128, 0],
  orange: [255, 165, 0],
  pink: [255, 192, 203],
  purple: [128, 0, 128],
  red: [255, 0, 0],
  white: [255, 255, 255],
  yellow: [255, 255, 0],
};
/** The colours of shapes.js. */
const SHAPE_COLOURS = ['red', 'green', 'blue', 'aqua', 'black', 'magenta', 'yellow'];

const nearest = (colour: PixelColour, names: readonly string[]): string | undefined =>
  [...names].sort((a, b) => distance(colour, rgb(a)) - distance(colour, rgb(b)))[0];

const rgb = (name: string): PixelColour => COLOURS[name] ?? [0, 0, 0];

const FORMS_OF: Readonly<Record<string, string>> = {
  rect: 'rectangle',
  circle: 'circle',
  polygon: 'triangle',
};

interface Figure {
  readonly element: Element;
  readonly kind: 'shape' | 'letter' | 'digit';
  /** The letter, the digit, or the name of the shape. */
  readonly text: string;
  readonly colour: string;
  readonly size: 'large' | 'small';
}

/** The letters, digits and shapes of the drawing, which has the buttons below it. */
function figures(view: OracleView): readonly Figure[] {
  return view
    .all('label', 'shape', 'button')
    .filter(
      ({ name, role }) => role === 'shape' || (role === 'label' && name.length === 1) || name in FORMS_OF,
    )
    .map(element => {
      const form = FORMS_OF[element.name];
      const kind = form !== undefined ? 'shape' : /\d/.test(element.name) ? 'digit' : 'letter';
      return {
        element,
        kind,
        text: form ?? element.name,
        colour:
          nearest(
            kind === 'shape' ? view.colour(centre(element.box)) : view.ink(element.box),
            SHAPE_COLOURS,
          ) ?? '',
        size: element.box.height > (kind === 'shape' ? 15 : 16) ? 'large' : 'small',
      };
    });
}

const SIZES = ['large', 'small'];

/** "large blue triangle", where each part may be missing or general, such as "item". */
const matches = (figure: Figure, description: string): boolean =>
  description.split(' ').every(word => {
    if (word === 'item') return true;
    if (SIZES.includes(word)) return figure.size === word;
    if (SHAPE_COLOURS.includes(word)) return figure.colour === word;
    return figure.text === word || figure.kind === word;
  });

function* countShape(view: OracleView, instruction: string): Generator<Action, void> {
  const [description = ''] = view.read(instruction, /How many (.+)s are there/);
  const count = figures(view).filter(figure => matches(figure, description)).length;
  yield click(view.named(String(count), 'button'));
}

function* clickShape(view: OracleView, instruction: string): Generator<Action, void> {
  const [description = ''] = view.read(instruction, /Click on a (.+)$/);
  const found = figures(view).filter(figure => matches(figure, description));
  yield click(view.nth(found, 0).element);
}

function* identifyShape(view: OracleView): Generator<Action, void> {
  const { kind, text } = view.nth(figures(view), 0);
  const name = kind === 'digit' ? 'number' : kind === 'letter' ? 'letter' : text;
  yield click(view.named(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, 'button'));
}

function* clickColour(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /Click on the (\w+) colored box/);
  const far = ({ box }: Element): number => distance(view.colour(centre(box)), rgb(name));
  const boxes = view.all('shape', 'button');
  yield click(
    view.nth(
      [...boxes].sort((a, b) => far(a) - far(b)),
      0,
    ),
  );
}

function* clickShades(view: OracleView, instruction: string): Generator<Action, void> {
  const channel = ['red', 'green', 'blue'].indexOf(view.read(instruction, /shades of (\w+)/)[0] ?? '');
  const isShade = ({ box }: Element): boolean => {
    const colour = view.colour(centre(box));
    return colour[channel] === Math.max(...colour) && colour[channel] !== Math.min(...colour);
  };
  for (const shade of view.all('shape').filter(isShade)) yield click(shade);
  yield click(view.named('Submit', 'button'));
}

/** Five columns and five rows of points, from −2 to 2. */
function* gridPoint(view: OracleView, instruction: string): Generator<Action, void> {
  const [x = '', y = ''] = view.read(instruction, /\((-?\d),(-?\d)\)/);
  const points = view.elements.filter(({ name }) => name === 'circle');
  const columns = [...points]
    .sort((a, b) => a.box.x - b.box.x)
    .slice((Number(x) + 2) * 5, (Number(x) + 3) * 5);
  yield click(
    view.nth(
      [...columns].sort((a, b) => b.box.y - a.box.y),
      Number(y) + 2,
    ),
  );
}

/** The numbers disappear after the first click. */
function* ascending(view: OracleView): Generator<Action, void> {
  const numbers = view.all('label').filter(({ name }) => /^\d$/.test(name));
  for (const number of [...numbers].sort((a, b) => Number(a.name) - Number(b.name))) yield click(number);
}

/** These pages draw a point so many pixels right of and below the pointer. */
const PEN = 2;

/** The centre of one circle, or the middle between two points. */
function* middle(view: OracleView): Generator<Action, void> {
  const points = view.all('shape').map(({ box }) => centre(box));
  const mean = (values: readonly number[]): number =>
    Math.round(values.reduce((total, value) => total + value, 0) / values.length) - PEN;
  yield clickAt({ x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) });
  yield click(view.named('Submit', 'button'));
}

function* addBlocks(view: OracleView): Generator<Action, void> {
  const blocks = view.all('shape').length;
  yield* fill(view.nth(view.fields, 0), String(blocks));
  yield click(view.named('Submit', 'button'));
}

export const PICTURES: Readonly<Record<string, Script>> = {
  'count-shape': countShape,
  'click-shape': clickShape,
  'identify-shape': identifyShape,
  'click-color': clickColour,
  'click-shades': clickShades,
  'grid-coordinate': gridPoint,
  'ascending-numbers': ascending,
  'circle-center': middle,
  'find-midpoint': middle,
  'visual-addition': addBlocks,
};
