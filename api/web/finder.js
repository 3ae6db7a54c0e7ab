// The field in which one looks for a player.

import { go, href } from "./address.js";
import { say } from "./language.js";
import { element } from "./markup.js";
import { called } from "./person.js";

/** A form that leads to a player's page. It takes an id, or the name of one who is on the board's top. */
export function finder(ladder, live) {
  const input = playerInput("finder", live, { placeholder: say("find_hint") });
  const submit = (event) => {
    event.preventDefault();
    const player = resolve(input.field.value, live);
    if (player) go(href({ ladder: ladder.id, player }));
  };
  return element(
    "form",
    { class: "finder", role: "search", submit },
    element("label", { for: "finder" }, say("find")),
    element(
      "div",
      { class: "joined" },
      input.field,
      input.choices,
      element("button", {}, say("find_button")),
    ),
  );
}

/** A field for a player's id that offers those on the board's top, and its list of choices. */
export function playerInput(id, live, attributes = {}) {
  const choices = element("datalist", { id: `${id}-choices` });
  const offer = () => {
    const options = [...live.rows.values()].map((row) =>
      element("option", { value: row.player }, called(row)),
    );
    choices.replaceChildren(...options);
  };
  const field = element("input", {
    id,
    list: choices.id,
    required: true,
    maxlength: 128,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    focus: offer,
    ...attributes,
  });
  return { field, choices };
}

/** The id that was meant: the text itself, or the id of the only one on the top who is called so. */
export function resolve(text, live) {
  const wanted = text.trim().normalize("NFC");
  if (live.rows.has(wanted)) return wanted;
  const namesakes = [...live.rows.values()].filter(({ name }) => name === wanted);
  return namesakes.length === 1 ? namesakes[0].player : wanted;
}
