/** The inverse error function, with double precision between -0.999 and 0.999. */

const TERMS_MAX = 120;

/** Maclaurin series, which converges quickly for small arguments. */
function errorFunction(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < TERMS_MAX && Math.abs(term) > 1e-18; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Starts with Winitzki's approximation (three digits), then uses Newton's method. */
export function inverseErrorFunction(y: number): number {
  if (y === 0) return 0;
  const a = 0.147;
  const logarithm = Math.log(1 - y * y);
  const half = 2 / (Math.PI * a) + logarithm / 2;
  let x = Math.sign(y) * Math.sqrt(Math.sqrt(half * half - logarithm / a) - half);
  for (let step = 0; step < 4; step += 1)
    x -= ((errorFunction(x) - y) * Math.sqrt(Math.PI)) / (2 * Math.exp(-x * x));
  return x;
}
