// The style sheets inside of a web page, as Beautiful Soup reads them with Python's own parser.

import { readHtml } from './tokens.ts';

/** The texts of the elements `style`. A style without an end has no text. */
export function styleTexts(html: string): readonly string[] {
  const texts: string[] = [];
  let text: string | undefined;
  for (const token of readHtml(html)) {
    if (token.kind === 'open' && token.name === 'style' && !token.isClosed) text = '';
    else if (token.kind === 'text' && text !== undefined) text += token.text;
    else if (text !== undefined) {
      texts.push(text);
      text = undefined;
    }
  }
  return texts;
}
