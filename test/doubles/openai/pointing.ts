// A language model that sees: it finds the red square in the last image, or in the list of elements, and replies with a click in the
// grammar of its family. Its coordinates can be wrong in the ways in which those of real servers are.

import { decodePng } from '../../../runtime/core/png-reader.ts';
import type { Pixels, Point, Size } from '../../../runtime/core/screen.ts';
import { imagesOf, textOf } from './chat-input.ts';
import { countingModel, type LanguageModel } from './model-server.ts';

export type Grammar = 'ui-tars' | 'computer-use' | 'generic' | 'pyautogui';

export interface PointingOptions {
  readonly grammar: Grammar;
  /** 'seen': pixels of the image that the model sees. A number: from 0 to it across each side. */
  readonly frame: 'seen' | number;
  /** The size in which the server shows an image to the model. Default: as it was sent. */
  readonly seen?: (sent: Size) => Size;
  /** The second coordinate first. */
  readonly swapped?: boolean;
  /** Changes the point, in pixels of the sent image, before the reply. */
  readonly aim?: (point: Point, sent: Size) => Point;
}

export const pointingModel =
  (options: PointingOptions): LanguageModel =>
  input => {
    const image = imagesOf(input).at(-1);
    const text = textOf(input);
    if (!text.includes('red square')) return countingModel(input);
    const element = /^(\d+)\. button "Red square"/m.exec(text)?.[1];
    if (element !== undefined && options.grammar === 'generic')
      return JSON.stringify({ action: 'click', element: Number(element) });
    if (image === undefined) return 'I see no picture.';
    const pixels = decodePng(image, 1e8);
    const found = redCentre(pixels);
    if (found === undefined) return 'I see no red square.';
    const [x, y] = numbersOf(options, found, pixels);
    return writtenClick(options.grammar, x, y);
  };

function numbersOf(
  { frame, seen = same, swapped = false, aim = point => point }: PointingOptions,
  found: Point,
  { width, height }: Size,
): readonly [number, number] {
  const sent = { width, height };
  const point = aim(found, sent);
  const size = frame === 'seen' ? seen(sent) : { width: frame, height: frame };
  const digits = size.width <= 1 ? 3 : 0;
  const [x, y] = [(point.x * size.width) / width, (point.y * size.height) / height].map(each =>
    Number(each.toFixed(digits)),
  );
  return swapped ? [y ?? 0, x ?? 0] : [x ?? 0, y ?? 0];
}

const same = (sent: Size): Size => sent;

export function writtenClick(grammar: Grammar, x: number, y: number): string {
  switch (grammar) {
    case 'ui-tars':
      return `Thought: I click the red square.\nAction: click(start_box='(${x},${y})')`;
    case 'computer-use':
      return `Action: Click the red square.\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [${x}, ${y}]}}\n</tool_call>`;
    case 'generic':
      return JSON.stringify({ action: 'click', x, y });
    case 'pyautogui':
      return `## Thought\nThe red square is the target.\n\n## Action\nClick it.\n\n## Code\n\`\`\`python\npyautogui.click(x=${x}, y=${y})\n\`\`\``;
  }
}

/** The middle of all pixels that are red, also at the edges of a resize. */
function redCentre({ width, height, data }: Pixels): Point | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x);
      if ((data[at] ?? 0) < 180 || (data[at + 1] ?? 0) > 110 || (data[at + 2] ?? 0) > 110) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
  return right < 0 ? undefined : { x: (left + right + 1) / 2, y: (top + bottom + 1) / 2 };
}
