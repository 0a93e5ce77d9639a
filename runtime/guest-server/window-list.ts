// The windows of a desktop, as wmctrl lists them.

import type { ServedMachine } from './served-machine.ts';

export interface ListedWindow {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** In small letters: the instance, the class, and both. */
  readonly classes: readonly string[];
  readonly title: string;
}

export async function windowList(machine: ServedMachine): Promise<readonly ListedWindow[]> {
  const { output } = await machine.run('wmctrl -lxG');
  return parseWindows(Buffer.from(output).toString('utf8'));
}

/** Columns: id, desktop, x, y, width, height, class, machine, title. */
const LINE = /^(0x[\da-f]+)\s+-?\d+\s+-?\d+\s+-?\d+\s+(\d+)\s+(\d+)\s+(\S+)\s+\S+ ?(.*)$/i;

const parseWindows = (output: string): readonly ListedWindow[] =>
  output.split('\n').flatMap(line => {
    const [, id, width, height, names = '', title = ''] = LINE.exec(line) ?? [];
    if (id === undefined) return [];
    return [
      { id, width: Number(width), height: Number(height), classes: classesOf(names.toLowerCase()), title },
    ];
  });

/** `soffice.libreoffice-writer` is an instance and a class; each may contain points, too. */
const classesOf = (names: string): readonly string[] => {
  const points = [...names.matchAll(/\./g)].map(({ index }) => index);
  return [names, ...points.flatMap(at => [names.slice(0, at), names.slice(at + 1)])];
};
