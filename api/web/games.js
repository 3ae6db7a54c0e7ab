// A player's last games.

import { day, moment, whole } from "./format.js";
import { say } from "./language.js";
import { element } from "./markup.js";
import { because } from "./measures.js";
import { change } from "./movement.js";
import { link, opponents, partners, several } from "./person.js";

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

function row(ladder, entry) {
  const { at, outcome, delta, after, annulment } = entry;
  const played = new Date(at);
  const time = element("time", { datetime: at, title: moment(played) }, day(played));
  const contents = [time, met(ladder, entry), ended(entry), change(delta), whole(after)];
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

/** The opponents, and the player's own team if there is one. */
function met(ladder, entry) {
  const named = (all) => several(all, (person) => link(ladder.id, person));
  const own = partners(entry);
  const team = own.length > 0 && element("small", { class: "team" }, say("own_team"), " ", ...named(own));
  return element("span", {}, ...named(opponents(entry)), team);
}

/** The outcome; in a free-for-all with the place. */
function ended({ outcome, rank, of }) {
  return of ? `${say(outcome)} (${say("rank_of", { rank, of })})` : say(outcome);
}

/** Says so in words, for whoever does not see the stroke. */
function annulled({ by, reason }) {
  return element("p", { class: "annulment" }, element("strong", {}, say("annulled")), " ", because(by, reason));
}
