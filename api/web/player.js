// One player's page.

import { variant } from "./address.js";
import { chart } from "./chart.js";
import { expectation } from "./expectation.js";
import { games } from "./games.js";
import { say } from "./language.js";
import { Live } from "./live.js";
import { element, name, refill } from "./markup.js";
import { measures } from "./measures.js";
import { showUnknownPlayer } from "./message.js";
import { paced } from "./pace.js";
import { called } from "./person.js";
import { profile } from "./profile.js";
import { head, Row } from "./row.js";
import * as service from "./service.js";

const SPAN = 3; // rows above and below the player
const HISTORY = 1000; // games, if the ladder keeps so many
const CHANGES = ["games", "rating", "status"]; // of a standing: then there is something new in the history
const CALM_MS = 2000; // between two looks at a player that is playing

/** Shows the page and keeps it current until `signal` says that another view has come. Throws Refusal. */
export async function showPlayer({ ladder, live, main, signal, player }) {
  const at = service.path("ladders", ladder.id, "players", player);
  const read = (what, query) => service.read(at + what, query, signal);
  let standing = await service.standing(ladder.id, player, signal);
  if (!standing) return showUnknownPlayer(main, player, ladder, live);
  let [history, around] = await Promise.all([
    read("/history", { limit: HISTORY }),
    read("/neighbors", { span: SPAN }),
  ]);

  const sections = Object.fromEntries(
    ["profile", "history", "games", "moderation", "around"].map((title) => [title, element("section", { class: title })]),
  );
  const draw = () => {
    refill(sections.profile, ...heading(standing, live.me), profile(ladder, standing));
    refill(sections.history, element("h2", {}, say("history")), chart(ladder, history.entries, moved(history) ? standing.rating : null));
    refill(sections.games, element("h2", {}, say("last_games")), games(ladder, history.entries));
    refill(sections.moderation, ...decisions(history.moderation));
    refill(sections.around, ...neighbours(ladder, around.entries, player));
  };
  draw();
  main.replaceChildren(
    sections.profile,
    element(
      "div",
      { class: "columns" },
      element("div", {}, sections.history, sections.games, sections.moderation),
      element("div", {}, expectation(ladder, live, standing, signal), sections.around),
    ),
  );
  const refresh = async () => {
    const was = standing;
    [standing, around] = await Promise.all([
      service.standing(ladder.id, player, signal),
      read("/neighbors", { span: SPAN }),
    ]);
    if (CHANGES.some((each) => standing[each] !== was[each])) history = await read("/history", { limit: HISTORY });
    draw();
  };
  follow(ladder, () => standing, signal, refresh);
}

/** Has `refresh` called when the player's standing has changed from what `shown` gives. */
function follow(ladder, shown, signal, refresh) {
  const own = new Live(ladder.id, shown().player, 1);
  const look = paced(
    () =>
      refresh().catch((error) => {
        // Out of reach: the next change, or the stream's recovery, brings another chance.
        if (!(error instanceof service.Refusal) && !signal.aborted) throw error;
      }),
    CALM_MS,
    signal,
  );
  own.addEventListener("update", () => {
    if (JSON.stringify(own.viewer) !== JSON.stringify(shown())) look();
  });
  signal.addEventListener("abort", () => own.close());
}

function heading(standing, me) {
  const { player } = standing;
  const title = called(standing);
  return [
    element(
      "div",
      { class: "heading" },
      element(
        "div",
        {},
        element("h1", { tabindex: "-1", title }, name(title)),
        element("p", { class: "facts" }, ...(title === player ? [] : [name(player)])),
      ),
      player === me
        ? element("p", { class: "you" }, say("this_is_you"))
        : element("a", { class: "button", href: variant({ me: player }) }, say("this_is_me")),
    ),
    ...(standing.rank === null ? [element("p", { class: "suspended note" }, say("suspended_long"))] : []),
  ];
}

/** Whether the rating is another one than the last game has left, for moderators have changed it. */
function moved({ entries, moderation }) {
  return (
    entries.some(({ status }) => status === "annulled") || moderation.some(({ kind }) => kind === "adjust")
  );
}

function decisions(entries) {
  return entries.length ? [element("h2", {}, say("moderation")), measures(entries)] : [];
}

function neighbours(ladder, entries, player) {
  const rows = entries.map((entry) => {
    const row = new Row(ladder, { own: entry.player === player });
    row.update(entry);
    return row.element;
  });
  const title = element("h2", { id: "around" }, say("around"));
  const body = element("tbody", { role: "rowgroup" }, ...rows);
  const table = element(
    "table",
    { class: "board", role: "table", "aria-labelledby": "around" },
    head(false),
    body,
  );
  return rows.length ? [title, element("div", { class: "card roomy" }, table)] : [];
}
