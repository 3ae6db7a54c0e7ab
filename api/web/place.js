// The viewer's own place, in the header of every view of a ladder.

import { variant } from "./address.js";
import { whole } from "./format.js";
import { parts, say } from "./language.js";
import { element, name, refill } from "./markup.js";
import { movement } from "./movement.js";
import { link, tier } from "./person.js";
import { opening } from "./ranking.js";

const NEWS_MS = 15_000; // between two announcements to those who listen

const section = document.getElementById("place");
const news = document.getElementById("news");

/** Nobody is looking at a ladder. */
export function hidePlace() {
  section.hidden = true;
}

/** Shows where `live.me` stands, if anybody was chosen, until `signal` says otherwise. */
export function showPlace({ ladder, live, signal }) {
  let shown;
  const announce = announcer();
  const draw = () => {
    if (live.total === null || live.viewer === shown) return;
    shown = live.viewer;
    refill(section, ...(shown ? standing(ladder, shown) : unknown(live.me)), forget());
    if (shown) announce(shown);
  };
  section.hidden = live.me === null;
  section.setAttribute("aria-label", say("your_place"));
  section.replaceChildren();
  draw();
  if (live.me !== null) live.addEventListener("update", draw, { signal });
}

function standing(ladder, viewer) {
  const seen = opening(ladder.id);
  if (viewer.rank !== null) seen.meet(viewer.player, viewer.rank);
  const rank =
    viewer.rank === null
      ? element("span", { class: "suspended" }, say("suspended"))
      : element("span", { class: "rank" }, ...ranking(viewer), movement(seen.movement(viewer)));
  return [
    element(
      "span",
      { class: "who" },
      element("span", { class: "label" }, say("your_place")),
      link(ladder.id, viewer),
    ),
    rank,
    element(
      "span",
      { class: "rating" },
      element("span", { class: "unseen" }, say("rating"), " "),
      whole(viewer.rating),
    ),
    tier(ladder, viewer.tier) ?? "",
  ];
}

/** "12 of 340", the first number large. */
export function ranking({ rank, of }) {
  return parts("rank_of", { rank: element("strong", {}, whole(rank)), of: whole(of) });
}

function unknown(player) {
  return [element("span", { class: "who" }, ...parts("you_are_unknown", { player: name(player) }))];
}

function forget() {
  const address = variant({ me: null });
  return element("a", { class: "quiet", href: address, title: say("forget_long") }, say("forget"));
}

/** Tells another rank, now and then. */
function announcer() {
  let told = null;
  let quietUntil = 0;
  return ({ rank, of, rating }) => {
    const now = performance.now();
    if (told === null) told = rank;
    if (rank === null || rank === told || now < quietUntil) return;
    told = rank;
    quietUntil = now + NEWS_MS;
    news.textContent = say("news_place", { rank: whole(rank), of: whole(of), rating: whole(rating) });
  };
}
