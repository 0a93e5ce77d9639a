// Number formats: the codes of the built-in ones, and which codes show dates.

const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);[Red]("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_)_("$"* \\(#,##0.00\\)_("$"* "-"??_)_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
  48: '##0.0E+0',
  49: '@',
};

/** The code of a format. The formats that a file defines come before the built-in ones. */
export const formatCode = (id: number, defined: ReadonlyMap<number, string>): string =>
  defined.get(id) ?? BUILT_IN[id] ?? 'General';

/** Texts in quotes, and everything in brackets except hours, minutes and seconds of a duration. */
const IGNORED = /".*?"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]/g;

const positivePart = (code: string): string => (code.split(';')[0] ?? '').replace(IGNORED, '');

/** A number with this format is a date, a time or a duration. */
export const isDateFormat = (code: string): boolean => /(?<![_\\])[dmhysDMHYS]/.test(positivePart(code));

/** A number with this format is a duration, such as [h]:mm. */
export const isDurationFormat = (code: string): boolean => /\[(hh?|mm?|ss?)\]/i.test(positivePart(code));
