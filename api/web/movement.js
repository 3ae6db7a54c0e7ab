// Signs for gains and losses: an arrow or a sign for the eye, colour besides, words for the ear.

import { signed, whole } from "./format.js";
import { say } from "./language.js";
import { element } from "./markup.js";

/** Places won (negative: lost) since the page was opened; null for somebody new. */
export function movement(places) {
  const way = places === null ? "new" : direction(places);
  const shown = { new: say("new"), up: `▲ ${whole(places)}`, down: `▼ ${whole(-places)}`, same: "–" }[way];
  return element(
    "span",
    { class: "movement", "data-way": way },
    element("span", { "aria-hidden": "true" }, shown),
    element("span", { class: "unseen" }, say(way, { count: Math.abs(places) })),
  );
}

/** Points won or lost. */
export function change(points) {
  return element("span", { class: "change", "data-way": direction(points) }, signed(points));
}

function direction(amount) {
  return amount > 0 ? "up" : amount < 0 ? "down" : "same";
}
