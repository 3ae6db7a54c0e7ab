// What a game against a chosen opponent would do to both ratings.

import { note, read, variant } from "./address.js";
import { playerInput, resolve } from "./finder.js";
import { exact, percent } from "./format.js";
import { parts, say } from "./language.js";
import { element, name } from "./markup.js";
import { change } from "./movement.js";
import { called } from "./person.js";
import * as service from "./service.js";

const LONGEST_MATCH = 64; // points

/** A section with a form for the opponent, which the address keeps, and the answer. */
export function expectation(ladder, live, standing, signal) {
  const { opponent, length, me } = read();
  const chosen = opponent ?? (me === standing.player ? "" : (me ?? ""));
  const input = playerInput("opponent", live, { placeholder: say("opponent_hint"), value: chosen });
  const byLength = ladder.rule.name === "match_length";
  const points = element("input", {
    id: "length",
    type: "number",
    min: 1,
    max: LONGEST_MATCH,
    required: true,
    value: length ?? 1,
  });
  const answer = element("div", { class: "answer", "aria-live": "polite" });
  const ask = async () => {
    const wanted = { opponent: resolve(input.field.value, live), length: byLength ? points.value : null };
    note(variant(wanted));
    answer.replaceChildren(...(await foresee(ladder, standing, wanted, signal)));
  };
  const submit = (event) => {
    event.preventDefault();
    ask();
  };
  if (opponent) ask();
  return element(
    "section",
    { class: "expectation" },
    element("h2", {}, say("expectation")),
    element(
      "form",
      { class: "card", submit },
      element("p", { class: "hint" }, say("expectation_hint")),
      field(say("opponent"), input.field, input.choices),
      byLength && field(say("length"), points),
      element("button", {}, say("calculate")),
      answer,
    ),
  );
}

function field(title, input, ...rest) {
  return element("div", { class: "field" }, element("label", { for: input.id }, title), input, ...rest);
}

/** The answer, or why there is none. */
async function foresee(ladder, standing, { opponent, length }, signal) {
  if (opponent === standing.player) return [element("p", {}, say("opponent_is_self"))];
  try {
    const other = await service.standing(ladder.id, opponent, signal);
    if (!other) return [element("p", {}, ...parts("unknown_player", { player: name(opponent) }))];
    const query = { initiator: standing.player, opponent, length };
    const at = service.path("ladders", ladder.id, "expectation");
    return outlook(ladder, standing, other, await service.read(at, query, signal));
  } catch (error) {
    if (signal.aborted) return [];
    if (!(error instanceof service.Refusal)) throw error;
    const text =
      error.code === "unreachable" ? [say("lost")] : parts("wrong", { detail: name(error.message) });
    return [element("p", {}, ...text)];
  }
}

function outlook(ladder, standing, other, { expected_score: score, k, outcomes }) {
  const line = (title, sides, show) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, say(title)),
      element("td", {}, show(sides.initiator)),
      element("td", {}, show(sides.opponent)),
    );
  const titles = [say("outcome"), name(called(standing)), name(called(other))];
  const possible = ["win", "draw", "loss"].filter((outcome) => outcomes[outcome]);
  return [
    odds(score),
    element(
      "table",
      {},
      element("caption", { class: "unseen" }, say("expectation")),
      element(
        "thead",
        {},
        element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))),
      ),
      element(
        "tbody",
        {},
        ...possible.map((outcome) => line(outcome, outcomes[outcome], change)),
        k && line("k", k, exact),
      ),
    ),
    ladder.rule.name === "performance" ? element("p", { class: "hint" }, say("plain_game")) : "",
  ];
}

/** Both expected scores, and a bar that they share. */
function odds(score) {
  const bar = element("i", { "aria-hidden": "true" });
  bar.style.setProperty("--share", `${100 * score}%`);
  return element(
    "p",
    { class: "odds" },
    element("span", {}, say("expected_score"), " "),
    element("strong", {}, percent(score)),
    element("strong", {}, percent(1 - score)),
    bar,
  );
}
