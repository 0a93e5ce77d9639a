import { expect, test } from 'vitest';
import { parseHtml } from '../../../runtime/tasks/formats/html/tree.ts';
import { writeHtml } from '../../../runtime/tasks/formats/html/write.ts';

/** The output of lxml 6 for these pages with pretty_print. */
test.each([
  [
    '<table><tr><td>x<td>y<tr><td>z</table>',
    '<table>\n<tr>\n<td>x</td>\n<td>y</td>\n</tr>\n<tr><td>z</td></tr>\n</table>',
  ],
  ['<ul><li>a<li></ul>', '<ul>\n<li>a</li>\n<li>\n</ul>'],
  [
    '<div><p>in</p>tail<br/><img src="a b" alt=""></div>',
    '<div>\n<p>in</p>tail<br><img src="a%20b" alt="">\n</div>',
  ],
  ['<script>if (a<b) {}</script>x &amp; y', '<script>if (a<b) {}</script>'],
])('writes %s', (html, written) => {
  const root = parseHtml(html)[0];
  const body = root?.kind === 'element' ? root.children[0] : undefined;
  const first = body?.kind === 'element' ? body.children[0] : undefined;
  expect(first?.kind === 'element' && writeHtml(first)).toBe(written);
});

test('adds html, head and body, and keeps what follows the end in html', () => {
  const root = parseHtml('<!DOCTYPE html>\n<title>T</title><p>a</p></body> <i>b</i></html>\n').find(
    node => node.kind === 'element',
  );
  expect(root?.kind === 'element' && writeHtml(root)).toBe(
    '<html>\n<head><title>T</title></head>\n<body><p>a</p></body> <i>b</i>\n</html>',
  );
});
