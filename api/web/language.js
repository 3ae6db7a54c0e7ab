// What the page says, in the language that is asked for or that the browser prefers.

import en from "./languages/en.js";
import ru from "./languages/ru.js";
import sk from "./languages/sk.js";

const LANGUAGES = { en, ru, sk };

let code;
let plural;

/** The tag that numbers and dates go by: the browser's own variant of the language (en-GB), if it has one. */
export let locale;

/** Chooses the language: the one asked for, else the first that the browser prefers, else English. */
export function speak(asked) {
  const preferred = navigator.languages.map(primary).find((each) => each in LANGUAGES);
  code = Object.hasOwn(LANGUAGES, asked ?? "") ? asked : (preferred ?? "en");
  locale = navigator.languages.find((tag) => primary(tag) === code) ?? code;
  plural = new Intl.PluralRules(locale);
  document.documentElement.lang = code;
}

function primary(tag) {
  return tag.toLowerCase().split("-")[0];
}

/** Code, own name, and whether it is spoken now, of every language. */
export function languages() {
  return Object.entries(LANGUAGES).map(([each, { name }]) => ({ code: each, name, spoken: each === code }));
}

/** The text of that key; `{word}` in it becomes `values.word`, and `values.count` chooses the plural form. */
export function say(key, values = {}) {
  return parts(key, values).join("");
}

/** The same as a list in which the values stay what they are: elements, perhaps. */
export function parts(key, values = {}) {
  const text = message(key, values.count);
  const pieces = text.split(/\{(\w+)\}/);
  return pieces.map((piece, index) => {
    if (index % 2 === 0) return piece;
    const value = values[piece];
    return typeof value === "number" ? value.toLocaleString(locale) : value;
  });
}

function message(key, count) {
  const found = LANGUAGES[code].messages[key] ?? ""; // of a rating rule without a description
  return typeof found === "string" ? found : (found[plural.select(count)] ?? found.other);
}

/** Puts texts into the elements of the shell that name their key in `data-text`. */
export function label(root) {
  for (const each of root.querySelectorAll("[data-text]")) each.textContent = say(each.dataset.text);
}
