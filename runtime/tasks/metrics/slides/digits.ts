/** Digits besides the decimal ones: superscripts, digits in circles and the like. */
const OTHER_DIGITS =
  '\\u00B2\\u00B3\\u00B9\\u1369-\\u1371\\u19DA\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247C' +
  '\\u2488-\\u2490\\u24EA\\u24F5-\\u24FD\\u24FF\\u2776-\\u277E\\u2780-\\u2788\\u278A-\\u2792\\u{10A40}-\\u{10A43}' +
  '\\u{10E60}-\\u{10E68}\\u{11052}-\\u{1105A}\\u{1F100}-\\u{1F10A}';
const DIGITS = new RegExp(`^[\\p{Nd}${OTHER_DIGITS}]+$`, 'u');

/** As `isdigit` of Python: the text has digits only, in any script. */
export const isDigits = (text: string): boolean => DIGITS.test(text);
