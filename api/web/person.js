// How players and tiers are shown, everywhere alike.

import { href } from "./address.js";
import { element, name } from "./markup.js";

const MOST_NAMED = 4; // of those who met in one game
const LEVELS = 6; // colours of tiers, 0 the lowest

/** What a player is called: the name, or the id if there is no name or nothing in it that can be seen. */
export function called({ player, name }) {
  return name && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : player;
}

/** Everybody on the other sides of a game in a history. */
export function opponents({ opponent, names }) {
  return people([opponent].flat(), names);
}

/** Everybody else on the player's own side. */
export function partners({ partners: players, names }) {
  return people(players, names);
}

function people(players, names) {
  return players.map((player) => ({ player, name: Object.hasOwn(names, player) ? names[player] : null }));
}

/** What `show` makes of the first few of these people, with commas, and how many more there are. */
export function several(all, show) {
  const shown = all.slice(0, MOST_NAMED).flatMap((person, index) => [index ? ", " : "", show(person)]);
  return all.length > MOST_NAMED ? [...shown, ` +${all.length - MOST_NAMED}`] : shown;
}

/** A link to the player's page. Long names are cut in sight only; whoever listens or points hears them whole. */
export function link(ladder, person) {
  const text = called(person);
  const title = text === person.player ? text : `${text} (${person.player})`;
  return element("a", { class: "name", href: href({ ladder, player: person.player }), title }, name(text));
}

/** A tier's badge; the lower tiers of a ladder are cooler. Null without a tier. */
export function tier(ladder, title) {
  if (title === null) return null;
  const index = ladder.tiers.findIndex((each) => each.name === title);
  const level = Math.round((Math.max(index, 0) / Math.max(ladder.tiers.length - 1, 1)) * LEVELS);
  return element("span", { class: `tier level-${level}` }, name(title));
}

/** What a ladder is called. */
export function titled(ladder) {
  return ladder.title.trim() || ladder.id;
}
