// Numbers and dates as the reader's locale writes them.

import { locale } from "./language.js";

const WHOLE = { maximumFractionDigits: 0 };
const EXACT = { maximumFractionDigits: 1 };
const SIGNED = { ...EXACT, minimumFractionDigits: 1, signDisplay: "exceptZero" };
const SHARE = { style: "percent", maximumFractionDigits: 1 };

const formats = new Map(); // making one is slow, and a board needs hundreds of numbers at once

function format(kind, options) {
  const key = `${locale} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new kind(locale, options));
  return formats.get(key);
}

export function whole(value) {
  return format(Intl.NumberFormat, WHOLE).format(value);
}

export function exact(value) {
  return format(Intl.NumberFormat, EXACT).format(value);
}

/** With a sign, to a tenth: +12.3 */
export function signed(value) {
  return format(Intl.NumberFormat, SIGNED).format(value).replace("-", "−");
}

/** A share from 0 to 1. */
export function percent(share) {
  return format(Intl.NumberFormat, SHARE).format(share);
}

/** The day; for today, the time. */
export function day(instant) {
  const today = new Date().toDateString() === instant.toDateString();
  return format(Intl.DateTimeFormat, today ? { timeStyle: "short" } : { dateStyle: "medium" }).format(
    instant,
  );
}

export function moment(instant) {
  return format(Intl.DateTimeFormat, { dateStyle: "medium", timeStyle: "short" }).format(instant);
}

export function time(instant) {
  return format(Intl.DateTimeFormat, { timeStyle: "medium" }).format(instant);
}
