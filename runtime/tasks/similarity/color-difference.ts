// The difference of two sRGB colours as people see it: CIEDE2000 (Sharma, Wu and Dalal, 2005) under daylight D65. A difference of 1 is
// just visible.

type Triple = readonly [number, number, number];

/** The channels range from 0 to 255. */
export function colorDifference(first: Triple, second: Triple): number {
  const [lightness1, a1, b1] = toLab(first);
  const [lightness2, a2, b2] = toLab(second);
  const stretch = 1.5 - 0.5 * saturation((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  const chroma1 = Math.hypot(a1 * stretch, b1);
  const chroma2 = Math.hypot(a2 * stretch, b2);
  const hues = hueTerms(hueOf(a1 * stretch, b1), hueOf(a2 * stretch, b2), chroma1 * chroma2);

  const middle = ((lightness1 + lightness2) / 2 - 50) ** 2;
  const chroma = (chroma1 + chroma2) / 2;
  const lightnessTerm = (lightness2 - lightness1) / (1 + (0.015 * middle) / Math.sqrt(20 + middle));
  const chromaTerm = (chroma2 - chroma1) / (1 + 0.045 * chroma);
  const hueTerm = hues.difference / (1 + 0.015 * chroma * hueWeight(hues.mean));
  const turn = (Math.PI / 3) * Math.exp(-((((hues.mean * 180) / Math.PI - 275) / 25) ** 2));
  const rotation = -2 * Math.sin(turn) * saturation(chroma);
  const squares = lightnessTerm ** 2 + chromaTerm ** 2 + hueTerm ** 2 + rotation * chromaTerm * hueTerm;
  return Math.sqrt(Math.max(0, squares));
}

const saturation = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));

/** From 0 to 2π. */
function hueOf(a: number, b: number): number {
  const angle = Math.atan2(b, a);
  return angle < 0 ? angle + 2 * Math.PI : angle;
}

/** The mean hue, and the difference of the hues as a length. Grey has no hue. */
function hueTerms(hue1: number, hue2: number, chromaProduct: number): { mean: number; difference: number } {
  if (chromaProduct === 0) return { mean: hue1 + hue2, difference: 0 };
  const gap = hue2 - hue1;
  const sum = hue1 + hue2;
  const around = Math.abs(gap) > Math.PI;
  const short = around ? gap - Math.sign(gap) * 2 * Math.PI : gap;
  const mean = around ? sum + (sum < 2 * Math.PI ? 2 : -2) * Math.PI : sum;
  return { mean: mean / 2, difference: 2 * Math.sqrt(chromaProduct) * Math.sin(short / 2) };
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const hueWeight = (hue: number): number =>
  1 -
  0.17 * Math.cos(hue - radians(30)) +
  0.24 * Math.cos(2 * hue) +
  0.32 * Math.cos(3 * hue + radians(6)) -
  0.2 * Math.cos(4 * hue - radians(63));

function toLab(color: Triple): Triple {
  const [red, green, blue] = color.map(channel => toLinear(channel / 255)) as [number, number, number];
  const x = curve((0.412453 * red + 0.35758 * green + 0.180423 * blue) / 0.95047);
  const y = curve(0.212671 * red + 0.71516 * green + 0.072169 * blue);
  const z = curve((0.019334 * red + 0.119193 * green + 0.950227 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const toLinear = (value: number): number =>
  value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92;

const curve = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
