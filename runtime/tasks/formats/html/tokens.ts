// Splits a web page into tags, texts and comments. Only this file imports the HTML library.

import { onFirstUse } from '../on-first-use.ts';

const library = onFirstUse<typeof import('htmlparser2')>('htmlparser2');

export type HtmlToken =
  | {
      readonly kind: 'open';
      readonly name: string;
      /** Null for an attribute without a value. Of two attributes with one name the first counts. */
      readonly attributes: ReadonlyMap<string, string | null>;
      /** The tag ends in `/>`. */
      readonly isClosed: boolean;
    }
  | { readonly kind: 'close'; readonly name: string }
  /** A start tag without an end, at the end of the page. */
  | { readonly kind: 'unfinished'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly isRaw: boolean }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'doctype'; readonly text: string };

/** Elements whose text contains no tags. */
const RAW = new Set(['script', 'style', 'xmp']);

/** The tokens of a page, with names in lower case and entities replaced. No text follows another one. */
export function readHtml(html: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let open: { name: string; attributes: Map<string, string | null> } | undefined;
  let attribute = { name: '', value: '' };
  let text = '';
  let isRaw = false;
  const push = (token: HtmlToken): void => {
    if (text !== '') tokens.push({ kind: 'text', text, isRaw });
    text = '';
    isRaw = token.kind === 'open' && !token.isClosed && RAW.has(token.name);
    tokens.push(token);
  };
  const close = (isClosed: boolean): void => {
    if (open !== undefined) push({ kind: 'open', ...open, isClosed });
    open = undefined;
  };
  const part = (start: number, end: number): string => html.slice(start, end);
  const { Tokenizer } = library();
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        open = { name: part(start, end).toLowerCase(), attributes: new Map() };
      },
      onattribname: (start, end) => {
        attribute = { name: part(start, end).toLowerCase(), value: '' };
      },
      onattribdata: (start, end) => {
        attribute.value += part(start, end);
      },
      onattribentity: code => {
        attribute.value += String.fromCodePoint(code);
      },
      onattribend: quote => {
        const value = quote === NO_VALUE ? null : attribute.value;
        if (open?.attributes.has(attribute.name) === false) open.attributes.set(attribute.name, value);
      },
      onopentagend: () => close(false),
      onselfclosingtag: () => close(true),
      onclosetag: (start, end) => push({ kind: 'close', name: part(start, end).toLowerCase() }),
      ontext: (start, end) => {
        text += part(start, end);
      },
      ontextentity: code => {
        text += String.fromCodePoint(code);
      },
      oncomment: (start, end, offset) => push({ kind: 'comment', text: part(start, end - offset) }),
      oncdata: (start, end, offset) =>
        push({ kind: 'comment', text: `[CDATA[${part(start, end - offset)}]]` }),
      ondeclaration: (start, end) => push(declaration(part(start, end))),
      onprocessinginstruction: (start, end) => push({ kind: 'comment', text: part(start, end) }),
      onend: () => {
        const name = open?.name ?? (isRaw ? undefined : /<([a-z][^\s<>/]*)$/i.exec(html)?.[1]);
        if (name !== undefined) push({ kind: 'unfinished', name: name.toLowerCase() });
        else if (text !== '') tokens.push({ kind: 'text', text, isRaw });
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return tokens;
}

/** `QuoteType.NoValue` of the library, which exports the type alone. */
const NO_VALUE = 0;

function declaration(text: string): HtmlToken {
  const body = text.replace(/^!/, '');
  return /^doctype/i.test(body)
    ? { kind: 'doctype', text: body.slice('doctype'.length).trim() }
    : { kind: 'comment', text: body };
}
