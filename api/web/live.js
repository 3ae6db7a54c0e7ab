// The top of one ladder as the service streams it, kept current over lost connections.

const SIZE = 100; // rows
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;

/**
 * Fires "update" when rows, total or the viewer's standing have changed, "state" when the connection has.
 * `state` is "connecting", "live" or "lost". A hidden page takes no part: browsers allow few connections.
 */
export class Live extends EventTarget {
  rows = new Map(); // player -> row
  total = null; // null until the first board has come
  viewer = null; // the viewer's standing; null if there is none
  state = "connecting";
  heard = null; // when the last event came

  #address;
  #source = null;
  #timer = null;
  #delay = FIRST_DELAY_MS;
  #ended = new AbortController();

  constructor(ladder, viewer, size = SIZE) {
    super();
    this.ladder = ladder;
    this.me = viewer;
    const query = new URLSearchParams({ limit: size, ...(viewer && { viewer }) });
    this.#address = `v1/ladders/${encodeURIComponent(ladder)}/board/live?${query}`;
    const { signal } = this.#ended;
    document.addEventListener("visibilitychange", () => this.#heed(), { signal });
    addEventListener("online", () => this.state === "lost" && this.#connect(), { signal });
    this.#heed();
  }

  close() {
    this.#ended.abort();
    this.#disconnect();
  }

  #heed() {
    if (document.hidden) this.#disconnect();
    else this.#connect();
  }

  #disconnect() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #connect() {
    this.#disconnect();
    const source = new EventSource(this.#address);
    this.#source = source;
    source.addEventListener("open", () => this.#become("live"));
    source.addEventListener("board", (event) => this.#replace(JSON.parse(event.data)));
    source.addEventListener("changes", (event) => this.#change(JSON.parse(event.data)));
    source.addEventListener("error", () => this.#lose());
  }

  #lose() {
    this.#become("lost");
    // After a network error the browser tries again by itself; after an answer that is no stream it does not.
    if (this.#source?.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), this.#delay * (0.5 + Math.random()));
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY_MS);
  }

  #become(state) {
    if (state === "live") this.#delay = FIRST_DELAY_MS;
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  #replace(board) {
    this.rows = new Map(board.entries.map((row) => [row.player, row]));
    this.viewer = board.viewer;
    this.#hear(board);
  }

  #change(changes) {
    for (const player of changes.left) this.rows.delete(player);
    for (const row of changes.entries) this.rows.set(row.player, row);
    if (changes.viewer) this.viewer = changes.viewer;
    this.#hear(changes);
  }

  #hear({ total }) {
    this.total = total;
    this.heard = new Date();
    this.dispatchEvent(new Event("update"));
  }
}
