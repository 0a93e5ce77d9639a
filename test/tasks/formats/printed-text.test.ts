import { expect, test } from 'vitest';
import { isWebPage, printedText } from '../../../runtime/tasks/formats/html/printed-text.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['<html>Not found</html>', true],
  ['\ufeff\n <!-- a --> <?xml version="1.0"?><HTML lang="en">', true],
  ['<!DOCTYPE html><p>text', true],
  ['<p>text</p>', false],
  ['<!DOCTYPE svg><p>text', false],
  ['text <html></html>', false],
  ['%PDF-1.7', false],
  ['', false],
])('whether %j is a web page', (text, expected) => {
  expect(isWebPage(bytesOf(text))).toBe(expected);
});

const inBody = (body: string): string => `<!DOCTYPE html><html><head><title>T</title></head>${body}</html>`;

// PyMuPDF 2.0 extracts these texts.
test.each([
  ['<html>Not found</html>', 'Not found\n'],
  [
    '<html><head><title>404 Not Found</title></head>\n<body>\n<center><h1>404 Not Found</h1></center>\n<hr><center>nginx/1.18.0 (Ubuntu)</center>\n</body>\n</html>\n',
    '404 Not Found\nnginx/1.18.0 (Ubuntu)\n',
  ],
  [inBody('<h1>404</h1><p>Not  found\nhere</p><script>x()</script>'), '404\nNot found here\n'],
  [
    inBody('<p>a<b>b</b> <i> c</i><span>d</span>\n e<sup>2</sup></p>\n<div>x<div>y</div>z</div><p> </p>q'),
    'ab cd e2\nx\ny\nz\nq\n',
  ],
  [inBody('a<br><br>b<br><img src="q.png">'), 'a\nb\n[image]\n'],
  [inBody('a<span hidden>h</span><i style="display:none">h</i>'), 'a\n'],
  [
    inBody('<ul><li>one<ul><li>sub</li><li>sub2</li></ul></li><li><p>para</p></li></ul>T<ol start="3"><li>x'),
    '•  one\n○  sub\n○  sub2\n•  para\nT\n3. x\n',
  ],
  [inBody('<ol><li><ul><li>n</ul></ol>'), '1. \n•  n\n'],
  [inBody('<pre>\nline1\n  line2\n\nline3</pre>end'), 'line1\n  line2\nline3\nend\n'],
])('the text of %j', (page, text) => {
  expect(printedText(bytesOf(page))).toBe(text);
});

test('a page that nests without end, or begins with comments without end, is read', () => {
  expect(printedText(bytesOf(inBody(`a${'<div>'.repeat(50_000)}b`)))).toBe('a\n');
  expect(isWebPage(bytesOf(`${'<!-- -->\n'.repeat(400)}text`))).toBe(false);
});

test('long lines break between words', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  const lines = printedText(bytesOf(inBody(`<p>${words}</p>`)))
    .trimEnd()
    .split('\n');
  expect(lines.join(' ')).toBe(words);
  expect(lines.length).toBeGreaterThan(5);
});
