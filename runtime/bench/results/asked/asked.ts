// How it is told what is asked of a benchmark, and how it is shown: the meaning of each figure, its bar where there is one, and which
// curves make a picture. Nothing here knows a measured value; those come from the files of outcomes.

import type { Unit } from '../axis.ts';

export type FigureUnit =
  | 'share'
  | 'times'
  | 'milliseconds'
  | 'microseconds'
  | 'seconds'
  | 'megabytes'
  | 'number';

/** A number to reach, or a text where none was named and a reader judges. */
export type Bar = { readonly least: number } | { readonly most: number } | { readonly text: string };

export interface AskedFigure {
  readonly name: string;
  readonly meaning: string;
  readonly unit: FigureUnit;
  readonly bar?: Bar;
}

export interface Label {
  readonly label: string;
  readonly unit: Unit;
}

/** Drawn of the series that are called 'name/curve'; bars where there is no `x`. */
export interface AskedPicture {
  readonly name: string;
  /** What its file is called, where several are drawn of the same series. */
  readonly file?: string;
  /** Drawn of these curves alone, and only where all are there. */
  readonly only?: readonly string[];
  readonly title: string;
  readonly subtitle: string;
  readonly x?: Label;
  readonly y: Label;
}

export interface AskedBench {
  /** As its file is called. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Behind `npm run bench -- `. */
  readonly command: string;
  readonly figures: readonly AskedFigure[];
  readonly pictures: readonly AskedPicture[];
}

export const figure = (name: string, meaning: string, unit: FigureUnit, bar?: Bar): AskedFigure => ({
  ...{ name, meaning, unit },
  ...(bar !== undefined && { bar }),
});
