// One row of a board, kept current in place.

import { say } from "./language.js";
import { whole } from "./format.js";
import { element } from "./markup.js";
import { glow } from "./motion.js";
import { movement } from "./movement.js";
import { link, tier } from "./person.js";

/** Heads of the columns. Roles are given because small screens lay the rows out in another way than as a table. */
export function head(moving) {
  const titles = ["rank", moving && "movement", "player", "rating", "games", "tier"].filter(Boolean);
  const cells = titles.map((title) => {
    const long = title === "movement" && say("movement_long");
    const kind = title === "movement" ? "moved" : title;
    const attributes = { scope: "col", role: "columnheader", class: kind, "aria-label": long, title: long };
    return element("th", attributes, say(title));
  });
  return element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...cells));
}

/** A row, with a column for the movement if `moving`. */
export class Row {
  entry = null;
  #ladder;
  #places = null;
  #rank = element("span", { class: "medal" });
  #movement = element("td", { role: "cell", class: "moved" });
  #name = element("th", { role: "rowheader", scope: "row", class: "player" });
  #rating = element("span", { class: "points" });
  #games = element("td", { role: "cell", class: "games" });
  #tier = element("td", { role: "cell", class: "tier" });

  constructor(ladder, { moving = false, own = false } = {}) {
    this.#ladder = ladder;
    const rank = element("td", { role: "cell", class: "rank" }, this.#rank);
    const rating = element("td", { role: "cell", class: "rating" }, this.#rating);
    const cells = [rank, moving && this.#movement, this.#name, rating, this.#games, this.#tier];
    this.element = element(
      "tr",
      { role: "row", class: own && "own", "aria-current": own && "true" },
      ...cells.filter(Boolean),
    );
  }

  /** Shows another entry. `places` are won since the page was opened; null for somebody new. */
  update(entry, places = 0) {
    const was = this.entry;
    this.entry = entry;
    write(this.#rank, whole(entry.rank));
    this.#rank.className = entry.rank <= 3 ? `medal place-${entry.rank}` : "medal";
    if (was === null || places !== this.#places) this.#movement.replaceChildren(movement(places));
    this.#places = places;
    if (was && was.rating !== entry.rating) glow(this.#rating, was.rating < entry.rating ? "up" : "down");
    if (was?.name !== entry.name) this.#name.replaceChildren(link(this.#ladder.id, entry));
    write(this.#rating, whole(entry.rating));
    if (was?.games !== entry.games) this.#games.replaceChildren(...games(entry.games));
    if (was?.tier !== entry.tier) this.#tier.replaceChildren(tier(this.#ladder, entry.tier) ?? "");
  }
}

/** The number alone, and (for small screens, which have no heads of columns) with its noun. */
function games(count) {
  return [
    element("span", { class: "bare" }, whole(count)),
    element("span", { class: "worded" }, say("games_count", { count })),
  ];
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
