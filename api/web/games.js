// A player's last games.

import { day, moment, whole } from "./format.js";
import { say } from "./language.js";
import { element } from "./markup.js";
import { because } from "./measures.js";
import { change } from "./movement.js";
import { link } from "./person.js";

const SHOWN = 20;
const COLUMNS = ["date", "opponent", "outcome", "change", "rating"];

/** A table of the last games, newest first. */
export function games(ladder, entries) {
  if (!entries.length) return element("p", { class: "message card" }, say("no_games"));
  const heads = COLUMNS.map((title) =>
    element("th", { scope: "col", role: "columnheader", class: title }, say(title)),
  );
  const table = element(
    "table",
    { class: "games", role: "table" },
    element("caption", { class: "unseen" }, say("last_games")),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)),
    element("tbody", { role: "rowgroup" }, ...entries.slice(0, SHOWN).map((entry) => row(ladder, entry))),
  );
  return element("div", { class: "card roomy" }, table);
}

function row(ladder, { at, opponent, opponent_name, outcome, delta, after, annulment }) {
  const played = new Date(at);
  const time = element("time", { datetime: at, title: moment(played) }, day(played));
  const person = { player: opponent, name: opponent_name };
  const contents = [time, link(ladder.id, person), say(outcome), change(delta), whole(after)];
  const cells = contents.map((content, index) =>
    element(
      "td",
      { role: "cell", class: COLUMNS[index], "data-outcome": index === 2 && outcome },
      annulment && content !== time ? element("s", {}, content) : content,
    ),
  );
  if (annulment) cells[1].append(annulled(annulment));
  return element("tr", { role: "row", class: annulment && "annulled" }, ...cells);
}

/** Says so in words, for whoever does not see the stroke. */
function annulled({ by, reason }) {
  return element("p", { class: "annulment" }, element("strong", {}, say("annulled")), " ", because(by, reason));
}
