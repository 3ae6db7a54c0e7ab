// What moderators did: to a player, and to single results.

import { day, moment, whole } from "./format.js";
import { say } from "./language.js";
import { element, name } from "./markup.js";

/** A list of the decisions about a player, newest first. */
export function measures(entries) {
  return element("ol", { class: "measures card" }, ...entries.map((entry) => element("li", {}, ...told(entry))));
}

function told({ kind, at, before, after, by, reason }) {
  const when = new Date(at);
  const what = kind === "adjust" ? { before: whole(before), after: whole(after) } : {};
  return [
    element("time", { datetime: at, title: moment(when) }, day(when)),
    element("strong", {}, say(`measure_${kind}`, what)),
    because(by, reason),
  ];
}

/** Who, and why. */
export function because(by, reason) {
  const parts = reason ? [name(reason), " · ", name(by)] : [name(by)];
  return element("span", { class: "because" }, ...parts);
}
