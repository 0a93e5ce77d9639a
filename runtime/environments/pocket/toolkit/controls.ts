// Labels, buttons, panels and rules.

import { inset } from '../../box.ts';
import { boldWidth, CAP_HEIGHT, fitText, LINE_HEIGHT, textWidth, wrapText } from '../font.ts';
import { onKeys, type Widget } from './widget.ts';

export const CONTROL_HEIGHT = 14;
export const PADDING = 4;

/** The y of text that is centred vertically. */
export const textTop = (top: number, height: number): number => top + Math.floor((height - CAP_HEIGHT) / 2);

interface LabelOptions {
  readonly bold?: boolean;
  readonly faint?: boolean;
  /** An error message. */
  readonly warning?: boolean;
  readonly wrap?: boolean;
}

export function label(
  text: string,
  { bold = false, faint = false, warning = false, wrap = false }: LabelOptions = {},
): Widget {
  const linesWithin = (width: number): readonly string[] =>
    wrap ? wrapText(text, Math.max(8, width)) : [text];
  return {
    paintKey: `label ${bold} ${faint} ${warning} ${text}`,
    describe: { role: 'label', name: text },
    measure: width => {
      const lines = linesWithin(width);
      const widest = Math.max(0, ...lines.map(line => (bold ? boldWidth(line) : textWidth(line))));
      return {
        width: Math.min(width, widest),
        height: Math.max(CAP_HEIGHT + 3, lines.length * LINE_HEIGHT - 1),
      };
    },
    paint: ({ surface, box: area, theme }) => {
      const colour = warning ? theme.warning : faint ? theme.faint : theme.text;
      const lines = linesWithin(area.width);
      if (lines.length > 1) {
        for (const [index, line] of lines.entries())
          surface.text(line, area.x, area.y + index * LINE_HEIGHT, colour, bold);
      } else {
        surface.text(fitText(text, area.width, bold), area.x, textTop(area.y, area.height), colour, bold);
      }
    },
  };
}

interface ButtonOptions {
  readonly enabled?: boolean;
  /** The default action of its window. */
  readonly primary?: boolean;
  readonly press: () => void;
}

export function button(name: string, { enabled = true, primary = false, press }: ButtonOptions): Widget {
  const act = () => {
    if (enabled) press();
  };
  return {
    key: name,
    opaque: true,
    paintKey: `button ${enabled} ${primary} ${name}`,
    describe: { role: 'button', name, states: enabled ? [] : ['disabled'] },
    on: {
      press: act,
      stroke: onKeys(['enter', 'space'], act),
    },
    measure: () => ({ width: Math.max(24, textWidth(name) + 2 * PADDING + 2), height: CONTROL_HEIGHT }),
    paint: ({ surface, box: area, theme, focused }) => {
      surface.fill(area, primary ? theme.accent : theme.button);
      surface.frame(area, focused ? theme.text : theme.buttonEdge);
      const text = fitText(name, area.width - 4);
      const colour = enabled ? (primary ? theme.accentText : theme.text) : theme.faint;
      const left = area.x + Math.floor((area.width - textWidth(text)) / 2);
      surface.text(text, left, textTop(area.y, area.height), colour);
    },
  };
}

/** A frame with its own background around another widget. */
export function panel(content: Widget, { field = false }: { readonly field?: boolean } = {}): Widget {
  return {
    opaque: true,
    paintKey: `panel ${field}`,
    grow: content.grow,
    measure: width => {
      const size = content.measure(width - 2);
      return { width: size.width + 2, height: size.height + 2 };
    },
    children: area => [{ widget: content, box: inset(area, 1) }],
    paint: ({ surface, box: area, theme }) => {
      surface.fill(area, field ? theme.field : theme.window);
      surface.frame(area, theme.buttonEdge);
    },
  };
}

export const rule = (): Widget => ({
  paintKey: 'rule',
  measure: () => ({ width: 1, height: 1 }),
  paint: ({ surface, box: area, theme }) => surface.fill(area, theme.shade),
});
