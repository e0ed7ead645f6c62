// Numbers for people. The engine computes; here they only get digits and signs.

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const PERCENT = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const MINUS = "−";

/** 12,345 @param {number} number */
export const count = (number) => WHOLE.format(number);

/** 33.3 % @param {number} share */
export const percent = (share) => `${PERCENT.format(100 * share)} %`;

/**
 * A fixed number of decimals, with a true minus sign and no minus zero.
 * @param {number} number
 * @param {number} [decimals]
 */
export function fixed(number, decimals = 4) {
  const text = Math.abs(number).toFixed(decimals);
  return number < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** The same with a plus before what is above zero. @param {number} number @param {number} [decimals] */
export function signed(number, decimals = 3) {
  const text = fixed(number, decimals);
  return number > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/**
 * A size over many orders of magnitude in about so many digits: 55.6, 0.0213, 1.3e−7.
 * @param {number} number
 * @param {number} [digits]
 */
export function size(number, digits = 3) {
  if (number === 0) return "0";
  const positive = Math.abs(number);
  const text =
    positive >= 1e7 || positive < 1e-4
      ? positive.toExponential(digits - 1).replace("e-", `e${MINUS}`).replace("e+", "e")
      : positive.toPrecision(digits).includes("e")
        ? WHOLE.format(positive)
        : positive.toPrecision(digits);
  return number < 0 ? MINUS + text : text;
}

const ROUNDING = 1e-9; // mbb/g: less is nothing but the rounding of floating-point numbers

/** A distance from an equilibrium, in mbb/g, or 0 where only rounding is left. @param {number} mbb */
export const distance = (mbb) => (mbb < ROUNDING ? 0 : mbb);

/** A regret: a sign and as many digits as there is room for in a card. @param {number} number */
export function regret(number) {
  const text = size(number, Math.abs(number) < 1e-4 ? 2 : 3);
  return number > 0 ? `+${text}` : text;
}
