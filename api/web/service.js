// Reading from the service's HTTP interface.

import { pause } from "./pace.js";

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 15_000;

/** Why an answer is missing: `code` is the service's own, or "unreachable" if it may come by itself later. */
export class Refusal extends Error {
  constructor(code, detail) {
    super(detail);
    this.code = code;
  }
}

/** A path under /v1; each segment may hold anything. */
export function path(...segments) {
  return segments.map(encodeURIComponent).join("/");
}

/** The document at a path under /v1. Throws Refusal; an AbortError if the signal says so. */
export async function read(where, query = {}, signal = undefined) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  let response;
  try {
    response = await fetch(`v1/${where}?${new URLSearchParams(given)}`, { signal });
    if (response.ok) return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("unreachable", String(error));
  }
  const problem = await response.json().catch(() => ({}));
  const passing = response.status >= 500 || response.status === 429;
  throw new Refusal(passing ? "unreachable" : (problem.code ?? "unexpected"), problem.detail ?? "");
}

/** Where a player stands on a ladder; null for somebody who is not on it (asking for the player is a failure). */
export async function standing(ladder, player, signal) {
  const board = await read(path("ladders", ladder, "board"), { limit: 1, viewer: player }, signal);
  return board.viewer;
}

/** What `attempt` gives. While the service does not answer, says so by `waiting` and tries again. */
export async function patiently(attempt, signal, waiting) {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (error.code !== "unreachable" || signal.aborted) throw error;
      waiting();
    }
    await pause(delay * (0.5 + Math.random()), signal);
  }
}
