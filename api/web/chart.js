// A player's rating over the last games, drawn at the width there is.

import { day, moment, signed, whole } from "./format.js";
import { say } from "./language.js";
import { element, name, shape } from "./markup.js";
import { called, opponents, several } from "./person.js";

const HEIGHT = 240;
const EDGE = { top: 16, right: 16, bottom: 28, left: 48 };
const TICKS = 4;
const LEAST_SPAN = 20; // points from bottom to top, so that small changes look small

/** A figure of the rating after each game, and what it is now if that is given; `entries` are newest first. */
export function chart(ladder, entries, now) {
  if (!entries.length) return element("p", { class: "message card" }, say("no_games"));
  const games = entries.toReversed();
  const ratings = [games[0].before, ...games.map(({ after }) => after)];
  if (now !== null && now !== ratings.at(-1)) ratings.push(now);
  const readout = element("p", { class: "readout", "aria-hidden": "true" });
  const box = element("div", { class: "drawing" });
  const rest = () => readout.replaceChildren(say("history_of", { count: games.length }));
  const tell = (index) => readout.replaceChildren(...detail(games, ratings, index));
  rest();
  new ResizeObserver(() =>
    box.replaceChildren(draw(ladder, games, ratings, box.clientWidth, tell, rest)),
  ).observe(box);
  return element("figure", { class: "card chart" }, element("figcaption", {}, readout), box);
}

function detail(games, ratings, index) {
  const rating = element("strong", {}, whole(ratings[index]));
  if (index === 0 || index > games.length) return [rating];
  const { at, delta } = games[index - 1];
  const others = several(opponents(games[index - 1]), (person) => name(called(person)));
  return [rating, ` (${signed(delta)}) · `, ...others, ` · ${moment(new Date(at))}`];
}

function draw(ladder, games, ratings, width, tell, rest) {
  const scale = new Scale(ratings, width);
  const summary = say("history_long", {
    first: whole(ratings[0]),
    last: whole(ratings.at(-1)),
    low: whole(Math.min(...ratings)),
    high: whole(Math.max(...ratings)),
  });
  const points = ratings.map((rating, index) => `${scale.x(index)},${scale.y(rating)}`);
  const floor = HEIGHT - EDGE.bottom;
  const cursor = new Cursor(scale, ratings);
  const point = (event) => {
    const index = scale.index(event.offsetX);
    cursor.show(index);
    tell(index);
  };
  const leave = () => {
    cursor.hide();
    rest();
  };
  return shape(
    "svg",
    { role: "img", "aria-label": summary, width, height: HEIGHT, pointermove: point, pointerleave: leave },
    ...scale.ticks().map((tick) => level("tick", scale, tick, whole(tick))),
    shape("polygon", {
      class: "area",
      points: [`${scale.x(0)},${floor}`, ...points, `${scale.right},${floor}`].join(" "),
    }),
    shape("polyline", { class: "line", points: points.join(" ") }),
    ...ladder.tiers.filter(({ from }) => scale.holds(from)).map((tier) => border(scale, tier)),
    shape("circle", { class: "dot", cx: scale.right, cy: scale.y(ratings.at(-1)), r: 4 }),
    shape("text", { class: "when", x: EDGE.left, y: HEIGHT - 8 }, day(new Date(games[0].at))),
    shape("text", { class: "when end", x: scale.right, y: HEIGHT - 8 }, day(new Date(games.at(-1).at))),
    cursor.element,
  );
}

function level(kind, scale, rating, label) {
  const y = scale.y(rating);
  return shape(
    "g",
    { class: kind },
    shape("line", { x1: EDGE.left, x2: scale.right, y1: y, y2: y }),
    shape("text", { x: EDGE.left - 8, y: y + 4 }, label),
  );
}

/** Where a tier begins. */
function border(scale, { name: title, from }) {
  const y = scale.y(from);
  return shape(
    "g",
    { class: "border" },
    shape("line", { x1: EDGE.left, x2: scale.right, y1: y, y2: y }),
    shape("text", { x: EDGE.left + 6, y: y - 5 }, title),
  );
}

/** From ratings and numbers of games to places in the drawing. */
class Scale {
  constructor(ratings, width) {
    const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
    const slack = Math.max(LEAST_SPAN - (high - low), (high - low) * 0.1) / 2;
    this.low = low - slack;
    this.high = high + slack;
    this.last = ratings.length - 1;
    this.right = Math.max(width - EDGE.right, EDGE.left + 1);
  }

  x(index) {
    return EDGE.left + ((this.right - EDGE.left) * index) / this.last;
  }

  y(rating) {
    return EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (this.high - rating)) / (this.high - this.low);
  }

  index(x) {
    const share = (x - EDGE.left) / (this.right - EDGE.left);
    return Math.round(Math.min(Math.max(share, 0), 1) * this.last);
  }

  holds(rating) {
    return this.low < rating && rating < this.high;
  }

  /** Round numbers. */
  ticks() {
    const rough = (this.high - this.low) / TICKS;
    const magnitude = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((each) => each >= rough);
    const first = Math.ceil(this.low / step);
    const count = Math.floor(this.high / step) - first + 1;
    return Array.from({ length: count }, (_, index) => (first + index) * step);
  }
}

/** A line and a dot at the game that is pointed at. */
class Cursor {
  #line = shape("line", { y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
  #dot = shape("circle", { r: 4 });
  element = shape("g", { class: "cursor", visibility: "hidden" }, this.#line, this.#dot);

  constructor(scale, ratings) {
    this.scale = scale;
    this.ratings = ratings;
  }

  show(index) {
    const [x, y] = [this.scale.x(index), this.scale.y(this.ratings[index])];
    for (const [part, place] of [
      [this.#line, { x1: x, x2: x }],
      [this.#dot, { cx: x, cy: y }],
    ]) {
      for (const [key, value] of Object.entries(place)) part.setAttribute(key, value);
    }
    this.element.setAttribute("visibility", "visible");
  }

  hide() {
    this.element.setAttribute("visibility", "hidden");
  }
}
