// A player's figures.

import { exact, percent, whole } from "./format.js";
import { say } from "./language.js";
import { element } from "./markup.js";
import { tier } from "./person.js";
import { ranking } from "./place.js";

/** All figures of a standing, each with its name. */
export function profile(ladder, standing) {
  const placed = standing.rank !== null;
  const byLength = ladder.rule.name === "match_length"; // of such rules: no draws, and experience counts
  const share = placed ? say("percentile_value", { percent: percent(standing.percentile / 100) }) : "–";
  return element(
    "dl",
    { class: "card figures" },
    figure("rating", element("strong", {}, whole(standing.rating)), " ", tier(ladder, standing.tier)),
    figure(
      "rank",
      ...(placed ? ranking(standing) : [element("span", { class: "suspended" }, say("suspended"))]),
    ),
    figure("percentile", share),
    figure("peak", whole(standing.peak)),
    figure("games", whole(standing.games)),
    figure("wins", whole(standing.wins)),
    byLength || figure("draws", whole(standing.draws)),
    figure("losses", whole(standing.losses)),
    ...pace(standing),
    byLength && figure("experience", whole(standing.experience)),
  );
}

/** What decides how far the next result moves the rating: K, or how uncertain it is. */
function pace({ k, mu, sigma, provisional }) {
  const note = provisional && element("small", {}, say("provisional"));
  if (k !== null) return [figure("k", exact(k), note)];
  return [figure("mu", whole(mu)), figure("sigma", whole(sigma), note)];
}

function figure(title, ...value) {
  return element("div", { class: title }, element("dt", {}, say(title)), element("dd", {}, ...value));
}
