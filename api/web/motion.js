// Rows glide to their new places, and ratings that have changed light up for a moment.

const GLIDE = { duration: 450, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };
const GLOW = { duration: 1800, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Calls `reorder`, then lets those of `rows` that have another place glide there from where they were. */
export function glide(rows, reorder) {
  if (still.matches) {
    reorder();
    return;
  }
  const before = new Map(rows.map((row) => [row, row.getBoundingClientRect()]));
  for (const row of rows)
    row
      .getAnimations()
      .filter(({ id }) => id === "glide")
      .forEach((each) => each.cancel());
  reorder();
  const moves = [];
  for (const [row, was] of before) {
    const is = row.getBoundingClientRect();
    const seen = [was, is].some(({ top, bottom }) => bottom > 0 && top < innerHeight);
    if (seen && row.isConnected && was.top !== is.top) moves.push([row, was.top - is.top]);
  }
  for (const [row, from] of moves) {
    const zIndex = from > 0 ? 1 : 0; // those who rise pass over those who fall
    const frames = [
      { transform: `translateY(${from}px)`, zIndex },
      { transform: "none", zIndex },
    ];
    row.animate(frames, { ...GLIDE, id: "glide" });
  }
}

/** Lights a number up: "up" for points won, "down" for points lost. */
export function glow(node, way) {
  if (still.matches) return;
  node.animate([{ color: `var(--${way})`, backgroundColor: `var(--${way}-wash)`, offset: 0 }], GLOW);
}
