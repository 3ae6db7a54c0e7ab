// What is shown instead of a view that cannot be shown.

import { href } from "./address.js";
import { finder } from "./finder.js";
import { parts, say } from "./language.js";
import { element, name } from "./markup.js";

/** There is no such ladder. */
export function showUnknownLadder(main, ladder) {
  const way = element("a", { class: "button", href: href({}) }, say("to_ladders"));
  show(main, parts("unknown_ladder", { ladder: name(ladder) }), way);
}

/** There is no such player on the ladder; another one can be looked for. */
export function showUnknownPlayer(main, player, ladder, live) {
  const way = element("a", { class: "button", href: href({ ladder: ladder.id }) }, say("to_board"));
  const hint = element("p", {}, say("unknown_player_hint"));
  show(main, parts("unknown_player", { player: name(player) }), hint, finder(ladder, live), way);
}

/** Anything else that the service refuses. */
export function showRefusal(main, refusal) {
  const closed = ["unauthorized", "forbidden"].includes(refusal.code);
  show(main, closed ? [say("private")] : parts("wrong", { detail: name(refusal.message) }));
}

function show(main, title, ...rest) {
  main.replaceChildren(
    element("div", { class: "message card" }, element("h1", { tabindex: "-1" }, ...title), ...rest),
  );
}
