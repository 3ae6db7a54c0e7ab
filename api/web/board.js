// A ladder's board: the top of the ladder, as it moves.

import { finder } from "./finder.js";
import { say } from "./language.js";
import { element, name } from "./markup.js";
import { glide } from "./motion.js";
import { paced } from "./pace.js";
import { titled } from "./person.js";
import { opening, ranked } from "./ranking.js";
import { head, Row } from "./row.js";

const CALM_MS = 600; // between two redraws: faster than that, nobody could follow

/** Shows the board until `signal` says that another view has come. */
export function showBoard({ ladder, live, main, signal }) {
  const count = element("span", { class: "count" });
  const pulse = element("span", { class: "pulse" });
  const body = element("tbody", { role: "rowgroup" });
  const caption = element("caption", { class: "unseen" }, say("board"), ": ", name(titled(ladder)));
  const table = element("table", { class: "board moving", role: "table" }, caption, head(true), body);
  const hint = element("p", { class: "message" }, say("loading"));
  const rule = ladder.rule.name;
  main.replaceChildren(
    element(
      "div",
      { class: "heading" },
      element(
        "div",
        {},
        element("h1", { tabindex: "-1" }, name(titled(ladder))),
        element("p", { class: "facts" }, pulse, count, element("span", {}, say(`rule_${rule}`))),
      ),
      finder(ladder, live),
    ),
    element("div", { class: "card roomy" }, table, hint),
  );

  const rows = new Rows(ladder, body, live.me);
  const tell = () => {
    pulse.dataset.state = live.state;
    pulse.textContent = say({ live: "live", connecting: "connecting", lost: "offline" }[live.state]);
  };
  const draw = () => {
    if (live.total === null) return;
    rows.draw(live.rows);
    table.hidden = live.rows.size === 0;
    hint.hidden = !table.hidden;
    hint.textContent = say("nobody");
    count.textContent =
      live.total > live.rows.size
        ? say("top_of", { top: live.rows.size, count: live.total })
        : say("players", { count: live.total });
  };
  table.hidden = true;
  tell();
  draw();
  live.addEventListener("state", tell, { signal });
  live.addEventListener("update", paced(draw, CALM_MS, signal), { signal });
}

/** The rows of a board, each of which keeps its element wherever it moves. */
class Rows {
  #ladder;
  #body;
  #me;
  #rows = new Map();

  constructor(ladder, body, me) {
    this.#ladder = ladder;
    this.#body = body;
    this.#me = me;
  }

  draw(entries) {
    const seen = opening(this.#ladder.id);
    const present = [...this.#rows.values()].map((row) => row.element);
    const focused = document.activeElement;
    glide(present, () => {
      this.#drop(entries);
      ranked(entries.values()).forEach((entry, place) => this.#put(entry, place, seen.movement(entry)));
    });
    if (this.#body.contains(focused)) focused.focus({ preventScroll: true });
  }

  #drop(entries) {
    for (const [player, row] of this.#rows) {
      if (entries.has(player)) continue;
      row.element.remove();
      this.#rows.delete(player);
    }
  }

  #put(entry, place, movement) {
    let row = this.#rows.get(entry.player);
    if (!row) {
      row = new Row(this.#ladder, { moving: true, own: entry.player === this.#me });
      this.#rows.set(entry.player, row);
    }
    row.update(entry, movement);
    if (this.#body.rows[place] !== row.element) {
      this.#body.insertBefore(row.element, this.#body.rows[place] ?? null);
    }
  }
}
