// The order of rows, and how far players have moved since the page was opened.

/** The rows, best first; among equals by id, descending, as the service orders them. */
export function ranked(rows) {
  return [...rows].sort((one, other) => one.rank - other.rank || byCodePoints(other.player, one.player));
}

// The service compares the bytes of UTF-8, which sort as code points do; strings here compare by UTF-16 units.
function byCodePoints(one, other) {
  const [these, those] = [[...one], [...other]];
  const at = these.findIndex((character, index) => character !== those[index]);
  if (at < 0) return these.length - those.length;
  return at < those.length ? these[at].codePointAt(0) - those[at].codePointAt(0) : 1;
}

const openings = new Map(); // ladder -> player -> rank

/** The ranks that the page saw first on a ladder. */
export function opening(ladder) {
  if (!openings.has(ladder)) openings.set(ladder, new Opening());
  return openings.get(ladder);
}

class Opening {
  #ranks = new Map();
  #seen = false;

  /** Notes the first board; later ones change nothing. */
  see(rows) {
    if (this.#seen) return;
    this.#seen = true;
    for (const { player, rank } of rows) this.meet(player, rank);
  }

  /** Notes somebody who need not be on the board's top. */
  meet(player, rank) {
    if (!this.#ranks.has(player)) this.#ranks.set(player, rank);
  }

  /** Places won (negative: lost); null for somebody who was not there. */
  movement({ player, rank }) {
    const first = this.#ranks.get(player);
    return first === undefined ? null : first - rank;
  }
}
