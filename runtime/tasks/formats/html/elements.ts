// The elements of HTML 4 as libxml2, the parser of lxml, treats them: which tags end which elements, and how each is written.

const words = (text: string): readonly string[] => text.split(' ');

/** Elements without content. */
export const VOID = new Set(words('area base basefont br col frame hr img input isindex link meta param'));

/** Known elements that start a line of their own when they are written. */
export const BLOCKS = new Set(
  words(
    'address area base blockquote body caption center col colgroup dd dir div dl dt fieldset form frame frameset h1 h2 h3 h4 ' +
      'h5 h6 head hr html isindex legend li link menu meta noembed noframes noscript ol optgroup option p param plaintext pre ' +
      'style table tbody td tfoot th thead title tr ul',
  ),
);

/** Attributes that are written without a value. */
export const BOOLEAN_ATTRIBUTES = new Set(
  words(
    'checked compact declare defer disabled ismap multiple nohref noresize noshade nowrap readonly selected',
  ),
);

const INLINE_IN_HEAD =
  'a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt em fieldset font form frameset ' +
  'h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q s samp small span strike strong sub sup table tt u ' +
  'ul var xmp';
const HEADING = 'fieldset form li p table';
const LISTING = 'dd dl dt fieldset form li table ul';
const ROWS = 'col colgroup tbody tfoot thead tr';

/** The start tags that end an element which is still open, by the name of the element. */
const ENDED_BY: Readonly<Record<string, string>> = {
  a: 'a fieldset table td th',
  address: 'dd dl dt form li ul',
  b: 'center p td th',
  big: 'p',
  caption: ROWS,
  col: ROWS,
  colgroup: 'colgroup tbody tfoot thead tr',
  dd: 'dt',
  dir: 'dd dl dt form ul',
  dl: 'form li',
  dt: 'dd dl',
  font: 'center td th',
  form: 'form',
  h1: HEADING,
  h2: HEADING,
  h3: HEADING,
  h4: HEADING,
  h5: HEADING,
  h6: HEADING,
  head: INLINE_IN_HEAD,
  hr: 'form',
  i: 'center p td th',
  legend: 'fieldset',
  li: 'li',
  link: 'body frameset',
  listing: LISTING,
  menu: 'dd dl dt form ul',
  ol: 'form',
  option: 'optgroup option',
  p:
    'address blockquote body caption center col colgroup dd dir div dl dt fieldset form frameset h1 h2 h3 h4 h5 h6 head hr li ' +
    'listing menu ol p pre table tbody td tfoot th title tr ul xmp',
  pre: LISTING,
  s: 'p',
  script: 'noscript',
  small: 'p',
  span: 'td th',
  strike: 'p',
  style: 'body frameset',
  tbody: 'tbody tfoot',
  td: 'tbody td tfoot th tr',
  tfoot: 'tbody',
  th: 'tbody td tfoot th tr',
  thead: 'tbody tfoot',
  title: 'body frameset',
  tr: 'tbody tfoot tr',
  tt: 'p',
  u: 'p td th',
  ul: 'address form menu pre',
  xmp: LISTING,
};

const ENDERS = new Map(Object.entries(ENDED_BY).map(([name, tags]) => [name, new Set(words(tags))]));

/** Whether a start tag ends an open element. */
export const isEndedBy = (element: string, tag: string): boolean => ENDERS.get(element)?.has(tag) === true;

const RANKS: Readonly<Record<string, number>> = {
  div: 150,
  td: 160,
  th: 160,
  tr: 170,
  thead: 180,
  tbody: 180,
  tfoot: 180,
  table: 190,
  head: 200,
  body: 200,
  html: 220,
};
const OTHER_RANK = 100;

/** An end tag ends no element of a higher rank than its own. */
export const rankOf = (name: string): number => RANKS[name] ?? OTHER_RANK;
