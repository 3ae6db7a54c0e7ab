// All ladders, each with its leaders.

import { href } from "./address.js";
import { whole } from "./format.js";
import { say } from "./language.js";
import { element, name } from "./markup.js";
import { link, titled } from "./person.js";
import * as service from "./service.js";

const LEADERS = 3;

/** Shows one card for each ladder; its leaders follow when they are known. */
export function showLadders({ ladders, main, signal }) {
  main.replaceChildren(
    element("div", { class: "heading" }, element("h1", { tabindex: "-1" }, say("ladders"))),
    ladders.length
      ? element("ul", { class: "ladders" }, ...ladders.map((ladder) => card(ladder, signal)))
      : element("p", { class: "message card" }, say("no_ladders")),
  );
}

function card(ladder, signal) {
  const count = element("p", { class: "facts" }, say("loading"));
  const leaders = element("ol", { class: "leaders" });
  fill(ladder, count, leaders, signal);
  return element(
    "li",
    { class: "card" },
    element("h2", {}, element("a", { href: href({ ladder: ladder.id }) }, name(titled(ladder)))),
    element("p", { class: "rule" }, say(`rule_${ladder.rule.name}`)),
    leaders,
    count,
  );
}

async function fill(ladder, count, leaders, signal) {
  try {
    const board = await service.read(service.path("ladders", ladder.id, "board"), { limit: LEADERS }, signal);
    count.textContent = say("players", { count: board.total });
    leaders.replaceChildren(...board.entries.map((row) => leader(ladder, row)));
  } catch (error) {
    if (!(error instanceof service.Refusal) && !signal.aborted) throw error;
    count.textContent = ""; // the card is still a way to the board, which says what is wrong
  }
}

function leader(ladder, row) {
  return element(
    "li",
    {},
    element("span", { class: `medal place-${row.rank}` }, whole(row.rank)),
    link(ladder.id, row),
    element("span", { class: "rating" }, whole(row.rating)),
  );
}

/** Links to all ladders, for the header. */
export function fillTabs(nav, ladders, current) {
  const tab = (ladder) => {
    const here = ladder.id === current && "page";
    return element("a", { href: href({ ladder: ladder.id }), "aria-current": here }, name(titled(ladder)));
  };
  nav.setAttribute("aria-label", say("ladders"));
  nav.replaceChildren(...ladders.map(tab));
  const here = nav.querySelector("[aria-current]");
  if (here) nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
}
