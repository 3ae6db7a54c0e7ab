// The page: reads the address, shows the view it asks for, and keeps one stream per ladder and viewer.

import * as address from "./address.js";
import { showBoard } from "./board.js";
import * as connection from "./connection.js";
import { fillTabs, showLadders } from "./ladders.js";
import { label, languages, speak } from "./language.js";
import { element } from "./markup.js";
import { Live } from "./live.js";
import { showRefusal, showUnknownLadder } from "./message.js";
import { hidePlace, showPlace } from "./place.js";
import { showPlayer } from "./player.js";
import { opening } from "./ranking.js";
import * as service from "./service.js";

const main = document.getElementById("content");
const switcher = document.getElementById("language");

let ladders = null; // null until they have been read
let live = null; // the stream of the ladder that is shown
let stage = new AbortController(); // ends with the view

/** Shows what the address asks for. */
async function arrive() {
  stage.abort();
  stage = new AbortController();
  const { signal } = stage;
  const where = address.read();
  speakAs(where.lang);
  try {
    await service.patiently(() => show(where, signal), signal, connection.waiting);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof service.Refusal)) throw error;
    showRefusal(main, error);
  }
  document.title = `${main.querySelector("h1").textContent} · Matchmaker`;
}

async function show(where, signal) {
  const ladder = await find(where.ladder, signal);
  fillTabs(document.getElementById("ladders"), ladders, where.ladder);
  if (!ladder) {
    tune(null, null);
    hidePlace();
    connection.calm();
    return where.ladder ? showUnknownLadder(main, where.ladder) : showLadders({ ladders, main, signal });
  }
  tune(ladder, where.me);
  const view = { ladder, live, main, signal, player: where.player };
  showPlace(view);
  connection.watch(live, signal);
  return where.player ? showPlayer(view) : showBoard(view);
}

/** The ladder of that id. All are read again when it is not among those that were known. */
async function find(id, signal) {
  const among = () => ladders?.find((ladder) => ladder.id === id);
  if (!among()) ladders = await service.read("ladders", {}, signal);
  return among();
}

/** Listens to that ladder for that viewer: on the stream there is, if it is the same. */
function tune(ladder, me) {
  if (live?.ladder === ladder?.id && live?.me === me) return;
  live?.close();
  live = ladder && new Live(ladder.id, me);
  live?.addEventListener("update", () => opening(ladder.id).see(live.rows.values()), { once: true });
}

function speakAs(asked) {
  speak(asked);
  label(document);
  switcher.value = languages().find(({ spoken }) => spoken).code;
}

/** As after a click: who reads by keyboard or by ear goes on at the title of the new view. */
async function arriveAnew() {
  await arrive();
  main.querySelector("h1")?.focus({ preventScroll: true });
}

switcher.append(...languages().map(({ code, name }) => element("option", { value: code, lang: code }, name)));
switcher.addEventListener("change", () => {
  address.note(address.variant({ lang: switcher.value }));
  arrive();
});
address.followLinks();
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // a fragment would be another place in the history
  main.focus();
});
addEventListener("arrival", () => {
  scrollTo(0, 0);
  arriveAnew();
});
addEventListener("popstate", arriveAnew);
arrive();
